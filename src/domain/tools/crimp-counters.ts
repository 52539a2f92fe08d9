import {
  type CrimpCounter,
  type CrimpHistoryEntry,
  type MaintenanceRecord,
  type SafetyCondition,
  UNLIMITED,
} from '../../contract/crimp-counters.ts'
import { nameKey } from '../acts/recordings.ts'
import { compareNames } from '../people/names.ts'
import { dayText } from '../plant/plant-time.ts'
import { type CsvColumns, csvCode, csvOf, csvText } from '../text/csv.ts'
import { countText } from '../text/numbers.ts'

/** A record with the tool, the order and the moment that it belongs to. */
export type ListedMaintenanceRecord = MaintenanceRecord & {
  miniaplicator: string
  change: CrimpHistoryEntry['change'] | 'call'
  /** Null where no counter was looked at. */
  numberOfCrimps: number | null
  serviceOrder: number | null
  maintenanceDate: string | null
  recordedBy: string
  recordedAt: string
  /** The machine of a call. */
  machine?: string
  callNumber?: number
}

export const safetyTexts: Record<SafetyCondition, string> = {
  segura: 'Segura para uso',
  'segura-com-restricoes': 'Segura com restrições',
  insegura: 'Insegura: fora de uso',
}

const occasions: Record<ListedMaintenanceRecord['change'], string> = {
  limit: 'Limite alterado',
  schedule: 'Agendamento',
  reset: 'Contador zerado',
  call: 'Chamado resolvido',
  task: 'Tarefa de manutenção',
}

/** `day` is the plant's, `YYYY-MM-DD`. */
export const maintenanceRecordsFileName = (day: string): string => `registros_manutencao_nr12_${day}.csv`

/** The maintenance records of a plant (NR-12, 12.11). `momentText` writes an instant as people there do. */
export const maintenanceRecordsCsv = (
  records: readonly ListedMaintenanceRecord[],
  momentText: (instant: string) => string,
): string =>
  csvOf(
    [
      ['Mini Aplicador', ({ miniaplicator }) => csvCode(miniaplicator)],
      ['Data do Registro', ({ recordedAt }) => momentText(recordedAt)],
      ['Ocasião', ({ change }) => occasions[change]],
      ['Ordem de Serviço', serviceOrderCell],
      ['Data de Manutenção', maintenanceDateCell],
      ['Serviço Realizado', ({ serviceDone }) => csvText(serviceDone)],
      ['Peças Reparadas ou Trocadas', ({ parts }) => csvText(parts)],
      ['Condição de Segurança', ({ safetyCondition }) => safetyTexts[safetyCondition]],
      ['Responsável', ({ responsible }) => csvText(responsible)],
      ['Qtd. Crimpagem', ({ numberOfCrimps }) => String(numberOfCrimps ?? '')],
      ['Registrado por', ({ recordedBy }) => csvText(recordedBy)],
      ['Máquina', ({ machine }) => csvCode(machine ?? '')],
      ['Chamado', ({ callNumber }) => String(callNumber ?? '')],
    ],
    records,
  )

/** `day` is the plant's, `YYYY-MM-DD`. */
export const waitingListFileName = (day: string): string => `aguardando_agendamento_${day}.csv`
export const historyFileName = (day: string): string => `historico_alteracoes_${day}.csv`

type Listed = Pick<CrimpCounter, 'miniaplicator' | 'numberOfCrimps' | 'limitOfCrimps' | Scheduled>
type Scheduled = 'serviceOrder' | 'maintenanceDate' | 'comments'

const serviceOrderCell = ({ serviceOrder }: Pick<Listed, 'serviceOrder'>) => String(serviceOrder ?? '')
const maintenanceDateCell = ({ maintenanceDate }: Pick<Listed, 'maintenanceDate'>) =>
  maintenanceDate === null ? '' : dayText(maintenanceDate)

const unitColumns: CsvColumns<Listed> = [
  ['Mini Aplicador', ({ miniaplicator }) => csvCode(miniaplicator)],
  ['Qtd. Crimpagem', ({ numberOfCrimps }) => String(numberOfCrimps)],
  ['Limite Crimpagens', ({ limitOfCrimps }) => (limitOfCrimps === UNLIMITED ? 'Ilimitado' : String(limitOfCrimps))],
]
const scheduleColumns: CsvColumns<Listed> = [
  ['Ordem de Serviço', serviceOrderCell],
  ['Data de Manutenção', maintenanceDateCell],
  ['Comentários', ({ comments }) => csvText(comments ?? '')],
]

/** The mini applicators that need maintenance. */
export const waitingListCsv = (counters: readonly Listed[]): string =>
  csvOf([...unitColumns, ...scheduleColumns], counters)

/** CSV of the changes made to mini applicators. `momentText` writes an instant as people at the plant do. */
export const historyCsv = (entries: readonly CrimpHistoryEntry[], momentText: (instant: string) => string): string =>
  csvOf(
    [...unitColumns, ['Data de Alteração', ({ updateDate }) => momentText(updateDate)], ...scheduleColumns],
    entries,
  )

type Wear = Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>

/** The limit is reached: the tool belongs into maintenance. */
export const isMaintenanceDue = ({ numberOfCrimps, limitOfCrimps }: Wear): boolean =>
  limitOfCrimps !== UNLIMITED && numberOfCrimps >= limitOfCrimps

/** How much of its limit a tool has used: 0 without a limit, above 100 when it is over. Rounded down: 100 means reached. */
export const usedPercent = ({ numberOfCrimps, limitOfCrimps }: Wear): number =>
  limitOfCrimps === UNLIMITED ? 0 : Math.max(0, Math.floor((numberOfCrimps * 100) / limitOfCrimps))

export type WearLevel = 'unlimited' | 'fine' | 'near' | 'reached'

export function wearLevel(wear: Wear, warningPercent: number): WearLevel {
  if (wear.limitOfCrimps === UNLIMITED) return 'unlimited'
  if (isMaintenanceDue(wear)) return 'reached'
  return usedPercent(wear) >= warningPercent ? 'near' : 'fine'
}

/** The least worn first; whatever is due for maintenance last. */
export const leastWornFirst = (one: Wear, other: Wear): number =>
  Number(isMaintenanceDue(one)) - Number(isMaintenanceDue(other)) ||
  usedShare(one) - usedShare(other) ||
  one.numberOfCrimps - other.numberOfCrimps

const usedShare = ({ numberOfCrimps, limitOfCrimps }: Wear) =>
  limitOfCrimps === UNLIMITED ? 0 : numberOfCrimps / limitOfCrimps

/** '97.000 de 100.000' */
export const wearText = ({ numberOfCrimps, limitOfCrimps }: Wear): string =>
  `${countText(numberOfCrimps)} ${limitOfCrimps === UNLIMITED ? '(sem limite)' : `de ${countText(limitOfCrimps)}`}`

/** Warning for the person who chooses a tool; undefined: none. */
export const wearWarning = (unit: Wear & Pick<CrimpCounter, 'miniaplicator'>): string | undefined =>
  isMaintenanceDue(unit) ? `${unit.miniaplicator} passou do limite (${wearText(unit)}). Avise a manutenção.` : undefined

/** Warning at a tool declared unsafe; undefined: none. */
export const unsafeWarning = ({ miniaplicator, unsafeSince }: Pick<CrimpCounter, 'miniaplicator' | 'unsafeSince'>) =>
  unsafeSince ? `${miniaplicator} foi declarado inseguro na manutenção. Não use: chame a manutenção.` : undefined

export const byUnitName = (a: { miniaplicator: string }, b: { miniaplicator: string }): number =>
  compareNames(a.miniaplicator, b.miniaplicator)

/** Tools due for maintenance, the most worn first. */
export const dueUnits = <T extends Wear>(units: readonly T[]): T[] => units.filter(isMaintenanceDue).sort(mostWornFirst)

/** The most worn first: how far above its limit counts, not only that it is. */
export const mostWornFirst = (a: Wear, b: Wear): number => usedPercent(b) - usedPercent(a)

/** Which units a filter leaves: those whose name contains it, without regard to case or outer blanks. */
export const filterUnits = <T extends { miniaplicator: string }>(units: readonly T[], filter: string): T[] =>
  units.filter(({ miniaplicator }) => nameKey(miniaplicator).includes(nameKey(filter)))
