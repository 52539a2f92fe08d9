import { LOT_LENGTH_MAX } from '../../contract/recordings.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { containmentNumber, readContainmentNumber } from '../containments/balances.ts'
import { badgeKey } from '../people/badges.ts'
import { isSameName } from '../people/names.ts'
import { badgeWithin } from '../text/badge-texts.ts'
import { framedIn, runsOf, UNREADABLE, unmarked } from '../text/frames.ts'
import { scannedReason } from '../text/printed-reasons.ts'
import { type FieldName, formFields } from './form-fields.ts'
import { cleanLot } from './recording-form.ts'

/** A field that a scan may fill. */
export type ScanField = 'lot' | 'applicator' | 'machine' | 'station'

/** What a label says, and what the field then holds. */
export type Choice = { code: string; text: string }

type Field = {
  value: string
  /** The panel has filled it in, and nobody has chosen it: it may still be chosen. */
  isOffered?: boolean
  /** What fits here; nothing for a lot, which is on no list. */
  choices: readonly Choice[]
}

/** A part of a form, with the fields that it has. */
export type ScanPart<Part extends string> = {
  part: Part
  isOpen: boolean
  terminal: string | null
  seal: string | null
  /** 'do lado 1' */
  of: string
  /** 'deste lado': whose machine it wants. */
  machineOf: string
  fields: Partial<Record<ScanField, Field>>
}

/** Where the cursor stands; `field` is null beside the fields of a part. */
export type ScanCursor<Part extends string> = { part: Part; field: string | null }

/** A part whose last recording was refused, and which waits to be put right. */
export type RefusedPart<Part extends string> = {
  part: Part
  /** Null: it is about none of the part's fields. */
  field: FieldName | null
  /** In the words of whoever refused. */
  words: string
  /** The lot that it was registered with. */
  lot: string
  /** As in `ScanPart`. */
  of: string
}

export type ScanForm<Part extends string> = {
  parts: readonly ScanPart<Part>[]
  cursor: ScanCursor<Part> | null
  /** The next lot is this part's, wherever the cursor stands. */
  refused?: RefusedPart<Part> | null
}

/** What this device knows by name, whatever it fits. */
export type KnownCodes = {
  /** What the form is about; null where that has no barcode. */
  item: { barcode: string; number: string } | null
  /** Barcodes of other items. */
  items: readonly string[]
  orders: readonly string[]
  applicators: readonly string[]
  machines: readonly string[]
  stations: readonly string[]
  /** What is measured with. */
  instruments: readonly string[]
  /** Printed reasons of scrap. */
  reasons: readonly { code: string; text: string; stage: string }[]
  /** Terminals, seals, cables, products: no scan fills them in, and none of them is a lot. */
  materials: readonly string[]
  /** False: a list was not read, so that what is on none may still be no lot. */
  isComplete: boolean
}

/** `sound`: of 'answer' the item that is looked for decides. `text` is what the line says. */
export type ScanOutcome<Part extends string> = { text: string } & (
  | { kind: 'fill'; sound: 'good'; part: Part; field: ScanField; value: string; canBeLot: boolean }
  | { kind: 'ask'; sound: 'bad'; part: Part; lot: string }
  /** With this instrument. */
  | { kind: 'measure'; sound: 'good'; part: Part; code: string }
  /** Scrap, with this reason. */
  | { kind: 'reason'; sound: 'good'; part: Part; code: string }
  | { kind: 'confirm' | 'open-order'; sound: 'good'; code: string }
  | { kind: 'open-item'; sound: 'good' | 'answer'; code: string }
  /** Who is to work here from now on. */
  | { kind: 'badge'; sound: 'answer'; code: string }
  | { kind: 'refuse'; sound: 'bad' }
)

const SIGNS_TEXT = "O leitor manda sinais junto do código. Veja 'Configurar o leitor' no manual."
/** The list of what fits has not come yet. */
const UNREAD_TEXT = 'A lista ainda não chegou: leia de novo.'
const containmentText = (number: string) => `Etiqueta da contenção ${number}: leia-a na Rastreabilidade.`
export const NOTHING_TO_FILL = 'Nada a preencher com este código.'
const labelOf = (field: ScanField) => formFields.side.find(({ name }) => name === field)?.label

const refuse = (text: string) => ({ kind: 'refuse', sound: 'bad', text }) as const
const confirm = (code: string, text: string) => ({ kind: 'confirm', sound: 'good', code, text }) as const

/** A refusal as the line says it: the next step where a lot is to be replaced. */
export const refusedText = ({ field, words, of }: RefusedPart<string>): string =>
  field === 'lot' ? `${words.replace(/^Erro: /, '').replace(/[\s.]+$/, '')}: leia outro lote ${of}` : words

const known = (codes: readonly string[], code: string) => codes.find((one) => isSameName(one, code))

/** What one reading does, of whatever code in whatever state of a form: never nothing, and never unsaid. */
export function placeScan<Part extends string>(
  code: string,
  form: ScanForm<Part>,
  codes: KnownCodes,
): ScanOutcome<Part> {
  const badge = badgeWithin(code)
  if (badge !== null) return { kind: 'badge', sound: 'answer', code: badgeKey(badge), text: 'Crachá lido' }
  if (code.includes(UNREADABLE)) return refuse(SIGNS_TEXT)
  const [whole = '', ...inner] = framedIn(code)
  const read = inner.find((one) => isKnown(one, form, codes)) ?? whole
  const containment = [whole, ...inner].map(readContainmentNumber).find((number) => number !== null)
  if (containment != null) return refuse(containmentText(containmentNumber(containment)))
  const reason = scannedReason(unmarked(code))
  if (reason !== null) return placeReason(reason, form, codes.reasons)
  if (codes.item && isSameName(codes.item.barcode, read)) {
    return confirm(codes.item.barcode, `Confere: item ${codes.item.number}`)
  }
  if (read.length === BARCODE_LENGTH) {
    const barcode = known(codes.items, read)
    return { kind: 'open-item', sound: barcode ? 'good' : 'answer', code: barcode ?? read, text: 'Abrindo o item...' }
  }
  if (runsOf(read, BARCODE_LENGTH).some((run) => isItem(run, codes))) return refuse(SIGNS_TEXT)
  const order = known(codes.orders, read)
  if (order) return { kind: 'open-order', sound: 'good', code: order, text: `Ordem de produção ${order}` }
  const parts = inOrder(form)
  const instrument = known(codes.instruments, read)
  if (instrument !== undefined) return placeInstrument(instrument, parts)
  return (
    placeChoice(read, parts, form.cursor, codes) ??
    (known(codes.materials, read) === undefined ? placeLot(read, parts, form, codes) : refuse(NOTHING_TO_FILL))
  )
}

const isItem = (code: string, { item, items }: KnownCodes) =>
  (item !== null && isSameName(item.barcode, code)) || known(items, code) !== undefined

/** Whether it is the code of anything that this device knows. */
function isKnown<Part extends string>(code: string, { parts }: ScanForm<Part>, codes: KnownCodes): boolean {
  const { orders, applicators, machines, stations, instruments, materials } = codes
  const choices = parts.flatMap(({ fields }) => Object.values(fields).flatMap((field) => field.choices))
  const all = [orders, applicators, machines, stations, instruments, materials, choices.map((one) => one.code)]
  return isItem(code, codes) || all.some((list) => known(list, code) !== undefined)
}

/** A reading, the form as it found it, and what it did. */
export type Placed<Part extends string> = { code: string; form: ScanForm<Part>; outcome: ScanOutcome<Part> }

const lotIn = <Part extends string>({ parts }: ScanForm<Part>, of: Part) =>
  parts.find(({ part }) => part === of)?.fields.lot?.value ?? ''

/** The form as a reading found it, with what fits it by now. */
const withChoices = <Part extends string>(then: ScanForm<Part>, now: ScanForm<Part>): ScanForm<Part> => ({
  ...then,
  parts: then.parts.map((place) => {
    const { fields = {} } = now.parts.find(({ part }) => part === place.part) ?? {}
    return { ...place, fields: { ...fields, ...(place.fields.lot && { lot: place.fields.lot }) } }
  }),
})

/** Somebody has chosen what stands in the field that it would fill. */
const isTaken = <Part extends string>(outcome: ScanOutcome<Part>, { parts }: ScanForm<Part>): boolean => {
  if (outcome.kind !== 'fill') return false
  const state = parts.find(({ part }) => part === outcome.part)?.fields[outcome.field]
  return state !== undefined && state.value !== '' && !state.isOffered
}

/**
 * What a reading comes to that was taken for a lot before the lists and the instruments were known, and the lot that is taken
 * back for it. Null: it stays as it is.
 */
export function placeAgain<Part extends string>(
  { code, form, outcome }: Placed<Part>,
  now: ScanForm<Part>,
  codes: KnownCodes,
): { outcome: ScanOutcome<Part>; takenBack: { part: Part; before: string } | null } | null {
  const found = placeScan(code, withChoices(form, now), codes)
  // of lists that come one after another the last one may have it where it belongs
  const isListed = found.kind === 'refuse' || (found.kind === 'fill' && found.field !== 'lot')
  const isNoLot = found.kind === 'measure' || (codes.isComplete && isListed)
  if (!isNoLot || (outcome.kind === 'fill' && outcome.field !== 'lot')) return null
  if (outcome.kind !== 'fill' && outcome.kind !== 'ask')
    return found.kind === 'measure' ? { outcome: found, takenBack: null } : null
  const { part } = outcome
  const isStanding = lotIn(now, part) === (outcome.kind === 'fill' ? outcome.value : outcome.lot)
  const again = isTaken(found, now) ? refuse(NOTHING_TO_FILL) : found
  // what was typed over it since stays, and so does what was done by it
  if (!isStanding) return outcome.kind === 'fill' && again.kind !== 'fill' ? null : { outcome: again, takenBack: null }
  const before = lotIn(form, part)
  return { outcome: again, takenBack: { part, before: isKnown(before, now, codes) ? '' : before } }
}

/** Open ones only; the one with the cursor comes first. */
function inOrder<Part extends string>({ parts, cursor }: ScanForm<Part>): ScanPart<Part>[] {
  const open = parts.filter(({ isOpen }) => isOpen)
  return [...open.filter(({ part }) => part === cursor?.part), ...open.filter(({ part }) => part !== cursor?.part)]
}

/** Only what is crimped or joined is measured. */
function placeInstrument<Part extends string>(code: string, parts: readonly ScanPart<Part>[]): ScanOutcome<Part> {
  const place = parts.find(({ terminal }) => terminal !== null)
  if (!place) return refuse(NOTHING_TO_FILL)
  return { kind: 'measure', sound: 'good', part: place.part, code, text: `Instrumento: ${code}` }
}

/** Parts of a form by the stage in which they are worked: 'form' is that of a junction. */
const fitsStage = <Part extends string>({ part, terminal }: ScanPart<Part>, stage: string): boolean =>
  part === 'cabo'
    ? stage === 'corte' || stage === 'todas'
    : terminal !== null && (stage === 'todas' || stage === (part === 'form' ? 'juncao' : 'crimpagem'))

/** Scrap is no matter of what is left to do: a finished part has it too. */
function placeReason<Part extends string>(
  code: string,
  { parts, cursor }: ScanForm<Part>,
  reasons: KnownCodes['reasons'],
): ScanOutcome<Part> {
  const reason = reasons.find((one) => one.code === code)
  if (!reason) return refuse('Motivo de refugo desconhecido.')
  const fitting = parts.filter((place) => fitsStage(place, reason.stage))
  const place = fitting.find(({ part }) => part === cursor?.part) ?? fitting[0]
  if (!place) return refuse(`Motivo de outra etapa: ${reason.text}.`)
  return { kind: 'reason', sound: 'good', part: place.part, code, text: `Refugo: ${reason.text}` }
}

type Listed = Exclude<ScanField, 'lot'>
const listed: readonly [field: Listed, of: 'applicators' | 'machines' | 'stations'][] = [
  ['applicator', 'applicators'],
  ['machine', 'machines'],
  ['station', 'stations'],
]

/** What is on a list is never a lot. Null: it is on none. */
function placeChoice<Part extends string>(
  code: string,
  parts: readonly ScanPart<Part>[],
  cursor: ScanCursor<Part> | null,
  codes: KnownCodes,
): ScanOutcome<Part> | null {
  const fitting = listed.flatMap(([field]) =>
    parts.flatMap((place) => {
      const choice = place.fields[field]?.choices.find((one) => isSameName(one.code, code))
      return choice ? [{ field, place, choice, state: place.fields[field] }] : []
    }),
  )
  const target =
    fitting.find(({ place }) => place.part === cursor?.part) ??
    fitting.find(({ state }) => state?.value === '' || state?.isOffered) ??
    fitting.find(({ state, choice }) => state && isSameName(state.value, choice.text))
  if (target) {
    const { field, place, choice, state } = target
    const text = `${labelOf(field)}: ${choice.code}`
    if (state && !state.isOffered && isSameName(state.value, choice.text)) return confirm(choice.code, text)
    const canBeLot = place.fields.lot !== undefined
    return { kind: 'fill', sound: 'good', part: place.part, field, value: choice.text, canBeLot, text }
  }
  for (const [field, of] of listed) {
    const name = known(codes[of], code)
    if (name !== undefined) return refuse(fitting.length > 0 ? NOTHING_TO_FILL : misfit(field, name, parts, codes))
  }
  return fitting.length > 0 ? refuse(NOTHING_TO_FILL) : null
}

/** Why it does not fit the part that would want one. */
function misfit<Part extends string>(
  field: Listed,
  name: string,
  parts: readonly ScanPart<Part>[],
  { isComplete }: KnownCodes,
): string {
  const place = parts.find(({ fields }) => fields[field])
  if (!place) return NOTHING_TO_FILL
  if (!isComplete && place.fields[field]?.choices.length === 0) return UNREAD_TEXT
  if (field === 'machine') return `${name} não é máquina ${place.machineOf}.`
  return field === 'applicator'
    ? `${name} não serve para o terminal ${place.terminal ?? ''}.`
    : `${name} não serve para o selo ${place.seal ?? ''}.`
}

/** A lot already there is replaced only with the cursor in its box, or where it was refused. */
function placeLot<Part extends string>(
  code: string,
  parts: readonly ScanPart<Part>[],
  form: ScanForm<Part>,
  { isComplete }: KnownCodes,
): ScanOutcome<Part> {
  const lot = cleanLot(code)
  if (lot === '' || lot.length > LOT_LENGTH_MAX) return refuse(NOTHING_TO_FILL)
  const refused = form.refused && parts.some(({ part }) => part === form.refused?.part) ? form.refused : null
  if (refused?.field === null) return refuse(`Veja a recusa ${refused.of} primeiro`)
  const isLotRefused = refused?.field === 'lot'
  if (isLotRefused && isSameName(refused.lot, lot)) return refuse(refusedText(refused))
  const cursor = isLotRefused ? { part: refused.part, field: 'lot' } : form.cursor
  const own = parts.find(({ part, fields }) => part === cursor?.part && fields.lot)
  const isInBox = own !== undefined && cursor?.field === 'lot'
  const before = own?.fields.lot?.value ?? ''
  if (own && isSameName(before, lot)) return confirm(lot, `Lote: ${lot}`)
  const target = isInBox ? own : parts.find(({ fields }) => fields.lot?.value === '')
  if (!target) return refuse(NOTHING_TO_FILL)
  if (!isComplete && !isInBox) return { kind: 'ask', sound: 'bad', part: target.part, lot, text: `${lot} é o lote?` }
  const text = isInBox && before !== '' ? `Lote trocado (antes ${before})` : `Lote: ${lot}`
  return { kind: 'fill', sound: 'good', part: target.part, field: 'lot', value: lot, canBeLot: false, text }
}
