import { type CrimpCounter, type CrimpHistoryEntry, UNLIMITED } from '../contract/crimp-counters.ts'
import { csvFile, csvText } from './csv.ts'
import { dayText } from './plant-time.ts'

/** `day` is the plant's, `YYYY-MM-DD`. */
export const waitingListFileName = (day: string): string => `aguardando_agendamento_${day}.csv`
export const historyFileName = (day: string): string => `historico_alteracoes_${day}.csv`

const limitCell = (limit: number) => (limit === UNLIMITED ? 'Ilimitado' : String(limit))
const numberCell = (number: number | null) => (number === null ? '' : String(number))
const dayCell = (day: string | null) => (day === null ? '' : dayText(day))

/** The mini applicators that need maintenance, as a file. */
export const waitingListCsv = (counters: readonly CrimpCounter[]): string =>
  csvFile([
    ['Mini Aplicador', 'Qtd. Crimpagem', 'Limite Crimpagens', 'Ordem de Serviço', 'Data de Manutenção', 'Comentários'],
    ...counters.map((counter) => [
      csvText(counter.miniaplicator),
      String(counter.numberOfCrimps),
      limitCell(counter.limitOfCrimps),
      numberCell(counter.serviceOrder),
      dayCell(counter.maintenanceDate),
      csvText(counter.comments ?? ''),
    ]),
  ])

/** What was changed on the mini applicators, as a file. `momentText` writes an instant as people at the plant do. */
export const historyCsv = (entries: readonly CrimpHistoryEntry[], momentText: (instant: string) => string): string =>
  csvFile([
    [
      'Mini Aplicador',
      'Qtd. Crimpagem',
      'Limite Crimpagens',
      'Data de Alteração',
      'Ordem de Serviço',
      'Data de Manutenção',
      'Comentários',
    ],
    ...entries.map((entry) => [
      csvText(entry.miniaplicator),
      String(entry.numberOfCrimps),
      limitCell(entry.limitOfCrimps),
      momentText(entry.updateDate),
      numberCell(entry.serviceOrder),
      dayCell(entry.maintenanceDate),
      csvText(entry.comments ?? ''),
    ]),
  ])
