import { UNREGISTERED } from '../../contract/applicators.ts'
import { type CutItem, type Part, parts } from '../../contract/items.ts'
import { type ErpJunction, isUltrasonic } from '../../contract/junctions.ts'
import type { Machine, MachineType } from '../../contract/machines.ts'
import type { Remembered } from '../text/remembered.ts'
import type { Choice, ScanCursor, ScanForm, ScanPart } from './form-scans.ts'
import type { JunctionForm } from './junctions.ts'
import { hasCableCode, isSectionOpen, machineText, type RecordingForms, type SidePart } from './recording-form.ts'
import { nameKey, sectionOf } from './recordings.ts'

/** For which kind of work a part wants its machine. */
export const machineTypeOf: Record<Part, MachineType> = { cabo: 'cabo', l1: 'terminal-l1', l2: 'terminal-l2' }

/** What this device has read; a list that it has not is undefined. */
export type Lists = {
  applicators: readonly { terminal: string; miniaplicator: string }[] | undefined
  stations: readonly { seal: string; sealingStationName: string }[] | undefined
  machines: readonly Machine[] | undefined
  machinesOf: Partial<Record<MachineType, readonly Machine[] | undefined>>
}

/** What fits one part of an item; a list that was not read is empty. */
type PartChoices = { machines: readonly Choice[]; applicators: readonly Choice[]; stations: readonly Choice[] }
export type ItemChoices = Record<Part, PartChoices>

export const machineChoices = (machines: readonly Machine[] = []): Choice[] =>
  machines.map((machine) => ({ code: machine.id, text: machineText(machine) }))

/** Those of a workplace. Where none of them does this kind of work the place says nothing of it: all. */
export function machinesAt(workplace: readonly string[], machines: readonly Machine[]): readonly Machine[] {
  const own = machines.filter(({ id }) => workplace.some((one) => nameKey(one) === nameKey(id)))
  return own.length > 0 ? own : machines
}

const named = (names: readonly string[]): Choice[] =>
  names.filter((name) => nameKey(name) !== nameKey(UNREGISTERED)).map((name) => ({ code: name, text: name }))

function partChoices(item: CutItem, part: Part, lists: Lists): PartChoices {
  const { terminal, seal } = sectionOf(item, part)
  const of = (code: string | null, other: string) => code !== null && nameKey(code) === nameKey(other)
  const applicators = (lists.applicators ?? []).filter((pair) => of(terminal, pair.terminal))
  const stations = (lists.stations ?? []).filter((pair) => of(seal, pair.seal))
  return {
    machines: machineChoices(lists.machinesOf[machineTypeOf[part]]),
    applicators: named(applicators.map(({ miniaplicator }) => miniaplicator)),
    stations: named(stations.map(({ sealingStationName }) => sealingStationName)),
  }
}

export const choicesOf = (item: CutItem, lists: Lists): ItemChoices => ({
  cabo: partChoices(item, 'cabo', lists),
  l1: partChoices(item, 'l1', lists),
  l2: partChoices(item, 'l2', lists),
})

/** Whether work of this part can be recorded now. */
export const isPartOpen = (item: CutItem, part: Part): boolean =>
  isSectionOpen(item, part) && (part === 'cabo' ? hasCableCode(item) : sectionOf(item, part).terminal !== null)

/** What of an item has still to be done. */
export const openParts = (item: CutItem): Part[] => parts.filter((part) => isPartOpen(item, part))

type Machined = { machine: string; isMachineRemembered?: boolean }

/** The machine of a form in which nobody has chosen one: the device's last one where it fits, else the only one there is. */
function machineIn(form: Machined, machines: readonly Choice[], last: string | undefined): Partial<Machined> {
  if (form.machine !== '') return {}
  const isMachineRemembered = machines.length > 1 && machines.some(({ text }) => text === last)
  return isMachineRemembered ? { machine: last ?? '', isMachineRemembered } : { machine: only(machines) }
}

const only = (of: readonly Choice[]): string => (of.length === 1 ? (of[0]?.text ?? '') : '')

export const completedJunction = (
  form: JunctionForm,
  machines: readonly Choice[],
  remembered: Remembered | null,
): JunctionForm => ({ ...form, ...machineIn(form, machines, remembered?.machines.juncao) })

/** What nobody has chosen, and what there is only one choice of, or what this device remembers. */
export function completed(forms: RecordingForms, choices: ItemChoices, remembered: Remembered | null): RecordingForms {
  const machineFor = (part: Part) =>
    machineIn(forms[part], choices[part].machines, remembered?.machines[part === 'cabo' ? 'cabo' : 'lado'])
  const side = (part: SidePart) => ({
    ...forms[part],
    ...machineFor(part),
    applicator: forms[part].applicator || only(choices[part].applicators),
    station: forms[part].station || only(choices[part].stations),
  })
  return { cabo: { ...forms.cabo, ...machineFor('cabo') }, l1: side('l1'), l2: side('l2') }
}

/** The lot of the last work with the same cable or terminal; undefined where there is none, or one was typed. */
export function offeredLot(item: CutItem, part: Part, forms: RecordingForms, remembered: Remembered | null) {
  if (forms[part].lot !== '') return undefined
  const code = materialOf(item, part)
  return remembered?.lots.find((one) => code !== '' && one.code === code)?.lot
}

/** What a part is made of: its cable, or its terminal. */
export const materialOf = (item: CutItem, part: Part): string =>
  (part === 'cabo' ? item.Z1_CODCABO : (sectionOf(item, part).terminal ?? '')).trim()

/** What a person has still to fill in, in the order of the form. A quantity that nobody typed follows the balance. */
export function emptyFields(forms: RecordingForms, part: Part): string[] {
  const { lot, machine, quantity } = forms[part]
  const side = part === 'cabo' ? null : forms[part]
  const texts = {
    lot,
    ...(side ? { force: side.force.text, height: side.height.text, applicator: side.applicator } : {}),
    machine,
    ...(quantity === null ? {} : { quantity }),
  }
  return Object.entries(texts).flatMap(([field, text]) => (text.trim() === '' ? [field] : []))
}

/** As `emptyFields`, of a junction. */
export function emptyJunctionFields(form: JunctionForm, isWelded: boolean): string[] {
  const { lot, force, height, machine, tightness, quantity } = form
  const texts = isWelded ? { force, machine, quantity } : { lot, force, height, machine, tightness, quantity }
  return Object.entries(texts).flatMap(([field, text]) => (text.trim() === '' ? [field] : []))
}

/** What a field says that 'Registrar' has missed. */
export const MISSING = 'Campo obrigatório'

/** The form of an item as a scan finds it. `typed` is what somebody has chosen, `forms` what stands there. */
export function scanFormOf(
  item: CutItem,
  { forms, typed, choices }: { forms: RecordingForms; typed: RecordingForms; choices: ItemChoices },
  cursor: ScanCursor<Part> | null,
): ScanForm<Part> {
  const partOf = (part: Part): ScanPart<Part> => {
    const { terminal, seal } = sectionOf(item, part)
    const fits = choices[part]
    const machine = {
      value: forms[part].machine,
      isOffered: typed[part].machine === '' && forms[part].machine !== '',
      choices: fits.machines,
    }
    const common = { part, isOpen: isPartOpen(item, part), terminal, seal }
    const lot = { value: forms[part].lot, choices: [] }
    if (part === 'cabo') return { ...common, machineOf: 'do cabo', fields: { lot, machine } }
    const offered = (field: 'applicator' | 'station') => typed[part][field] === '' && forms[part][field] !== ''
    return {
      ...common,
      machineOf: 'deste lado',
      fields: {
        lot,
        machine,
        applicator: {
          value: forms[part].applicator,
          isOffered: offered('applicator'),
          choices: fits.applicators,
        },
        ...(seal
          ? { station: { value: forms[part].station, isOffered: offered('station'), choices: fits.stations } }
          : {}),
      },
    }
  }
  return { parts: parts.map(partOf), cursor }
}

type JunctionStanding = { isOpen: boolean; lot: string; machine: NonNullable<ScanPart<'form'>['fields']['machine']> }

/** The form of a junction as a scan finds it. */
export function scanFormOfJunction(
  { Z8_TERMINA, Z8_GRUPOMP }: Pick<ErpJunction, 'Z8_TERMINA' | 'Z8_GRUPOMP'>,
  { isOpen, lot, machine }: JunctionStanding,
  cursor: ScanCursor<'form'> | null,
): ScanForm<'form'> {
  const fields = isUltrasonic(Z8_GRUPOMP) ? { machine } : { lot: { value: lot, choices: [] }, machine }
  const terminal = Z8_TERMINA.trim()
  return { parts: [{ part: 'form', isOpen, terminal, seal: null, machineOf: 'de junção', fields }], cursor }
}
