import { UNREGISTERED } from '../../contract/applicators.ts'
import { type CutItem, type Part, parts } from '../../contract/items.ts'
import { isUltrasonic, type Junction } from '../../contract/junctions.ts'
import type { Machine, MachineType } from '../../contract/machines.ts'
import { isJunctionOpen } from '../acts/junction-balance.ts'
import { nameKey, sectionOf } from '../acts/recordings.ts'
import { isSameName } from '../people/names.ts'
import type { Remembered, WorkKind } from '../text/remembered.ts'
import { type Field, type FieldForm, type FieldName, formFields } from './form-fields.ts'
import type { Choice, ScanCursor, ScanForm, ScanPart } from './form-scans.ts'
import { yesNoText } from './junctions.ts'
import { hasCableCode, isSectionOpen, machineText } from './recording-form.ts'

/** For which kind of work a part wants its machine. */
export const machineTypeOf: Record<Part, MachineType> = { cabo: 'cabo', l1: 'terminal-l1', l2: 'terminal-l2' }

const ofParts: Record<Part, string> = { cabo: 'do cabo', l1: 'do lado 1', l2: 'do lado 2' }

/** What this device has read; a list that it has not is undefined. */
export type Lists = {
  applicators: readonly { terminal: string; miniaplicator: string }[] | undefined
  stations: readonly { seal: string; sealingStationName: string }[] | undefined
  machines: readonly Machine[] | undefined
  machinesOf: Partial<Record<MachineType, readonly Machine[] | undefined>>
}

/** A part of a form of work as a scan finds it, with the fields that can be filled in. */
export type FormPart<Part extends string> = Omit<ScanPart<Part>, 'fields'> & {
  fields: readonly Field[]
  /** What fits; a list that was not read is empty. */
  choices: Partial<Record<FieldName, readonly Choice[]>>
  machineType: MachineType
  workKind: WorkKind
  /** Cable or terminal: the last lot of the same is offered. */
  material: string
}

export type FormParts<Part extends string> = Record<Part, FormPart<Part>>

const machineChoices = (machines: readonly Machine[] = []): Choice[] =>
  machines.map((machine) => ({ code: machine.id, text: machineText(machine) }))

/** Machines of a workplace; all machines where none of the workplace does this kind of work. */
export function machinesAt(workplace: readonly string[], machines: readonly Machine[]): readonly Machine[] {
  const own = machines.filter(({ id }) => workplace.some((one) => isSameName(one, id)))
  return own.length > 0 ? own : machines
}

const named = (names: readonly string[]): Choice[] =>
  names.filter((name) => nameKey(name) !== nameKey(UNREGISTERED)).map((name) => ({ code: name, text: name }))

function itemPart(item: CutItem, part: Part, lists: Lists): FormPart<Part> {
  const { terminal, seal } = sectionOf(item, part)
  const of = (code: string | null, other: string) => code !== null && isSameName(code, other)
  const applicators = (lists.applicators ?? []).filter((pair) => of(terminal, pair.terminal))
  const stations = (lists.stations ?? []).filter((pair) => of(seal, pair.seal))
  const isCable = part === 'cabo'
  return {
    ...{ part, terminal, seal, isOpen: isPartOpen(item, part), machineType: machineTypeOf[part] },
    machineOf: isCable ? 'do cabo' : 'deste lado',
    of: ofParts[part],
    workKind: isCable ? 'cabo' : 'lado',
    material: (isCable ? item.Z1_CODCABO : (terminal ?? '')).trim(),
    fields: isCable ? formFields.cable : formFields.side.filter(({ name }) => name !== 'station' || seal),
    choices: {
      machine: machineChoices(lists.machinesOf[machineTypeOf[part]]),
      applicator: named(applicators.map(({ miniaplicator }) => miniaplicator)),
      station: named(stations.map(({ sealingStationName }) => sealingStationName)),
    },
  }
}

export const itemParts = (item: CutItem, lists: Lists): FormParts<Part> => ({
  cabo: itemPart(item, 'cabo', lists),
  l1: itemPart(item, 'l1', lists),
  l2: itemPart(item, 'l2', lists),
})

/** The row's own; nothing where the ERP says neither yes nor no. */
function tightnessOf({ Z8_ESTANQU }: Junction): Choice[] {
  const text = yesNoText(Z8_ESTANQU)
  return text === 'Sim' || text === 'Não' ? [{ code: text, text }] : []
}

/** The form of a junction has one. */
export function junctionParts(junction: Junction, lists: Lists): FormParts<'form'> {
  const terminal = junction.Z8_TERMINA.trim()
  const form: FormPart<'form'> = {
    ...{
      part: 'form',
      terminal,
      seal: null,
      isOpen: isJunctionOpen(junction),
      of: 'da junção',
      machineOf: 'de junção',
    },
    ...{ machineType: 'juncao', workKind: 'juncao', material: terminal },
    fields: junctionFields(junction.Z8_GRUPOMP),
    choices: { machine: machineChoices(lists.machinesOf.juncao), tightness: tightnessOf(junction) },
  }
  return { form }
}

/** Fields of a junction, which is welded or joined by a terminal. */
export const junctionFields = (group: string) =>
  formFields.junction.filter(({ isOfTerminal }) => !isOfTerminal || !isUltrasonic(group))

/** Whether work of this part can be recorded now. */
const isPartOpen = (item: CutItem, part: Part): boolean =>
  isSectionOpen(item, part) && (part === 'cabo' ? hasCableCode(item) : sectionOf(item, part).terminal !== null)

/** What of an item has still to be done. */
export const openParts = (item: CutItem): Part[] => parts.filter((part) => isPartOpen(item, part))

type Machined = FieldForm & { machine: string; isMachineRemembered?: boolean }

/** The machine of a form in which nobody has chosen one: the device's last one where it fits, else the only one there is. */
function machineIn(form: Machined, machines: readonly Choice[], last: string | undefined): Partial<Machined> {
  if (form.machine !== '') return {}
  const isMachineRemembered = machines.length > 1 && machines.some(({ text }) => text === last)
  return isMachineRemembered ? { machine: last ?? '', isMachineRemembered } : { machine: only(machines) }
}

const only = (of: readonly Choice[] = []): string => (of.length === 1 ? (of[0]?.text ?? '') : '')

/** What nobody has chosen, and what there is only one choice of, or what this device remembers. */
export function completed<Form extends Machined>(
  { fields, choices, workKind }: FormPart<string>,
  form: Form,
  remembered: Remembered | null,
): Form {
  const offered = fields.flatMap(({ name, kind }) =>
    (kind === 'pick' || kind === 'choice') && form[name] === '' ? [[name, only(choices[name])]] : [],
  )
  const machine = machineIn(form, choices.machine ?? [], remembered?.machines[workKind])
  return { ...form, ...Object.fromEntries(offered), ...machine }
}

/** The lot of the last work with the same cable or terminal; undefined where there is none, or one was typed. */
export const offeredLot = ({ material }: FormPart<string>, form: { lot: string }, remembered: Remembered | null) =>
  form.lot === '' ? remembered?.lots.find((one) => material !== '' && one.code === material)?.lot : undefined

/** What a field says that 'Registrar' has missed. */
export const MISSING = 'Campo obrigatório'

type Standing<Part extends string> = Record<'forms' | 'typed', Record<Part, FieldForm>>

/** A form as a scan finds it. `typed` is what somebody has chosen, `forms` what stands there. */
export const scanFormOf = <Part extends string>(
  parts: FormParts<Part>,
  { forms, typed }: Standing<Part>,
  cursor: ScanCursor<Part> | null,
): ScanForm<Part> => ({
  cursor,
  parts: Object.values<FormPart<Part>>(parts).map((place) => {
    const form = forms[place.part]
    const chosen = typed[place.part]
    const isOffered = (name: FieldName) => chosen[name] === '' && form[name] !== ''
    const scanned = place.fields.flatMap(({ name, kind }) =>
      kind === 'lot' || kind === 'pick'
        ? [[name, { value: form[name], isOffered: isOffered(name), choices: place.choices[name] ?? [] }]]
        : [],
    )
    return { ...place, fields: Object.fromEntries(scanned) as ScanPart<Part>['fields'] }
  }),
})
