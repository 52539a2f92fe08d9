import type { CrimpHistoryEntry, MaintenanceRecord, SafetyCondition } from '../contract/crimp-counters.ts'
import { csvCode, csvFile, csvText } from './csv.ts'
import { dayText } from './plant-time.ts'

/** A record with the tool, the order and the moment that it belongs to. */
export type ListedMaintenanceRecord = MaintenanceRecord & {
  miniaplicator: string
  change: CrimpHistoryEntry['change']
  numberOfCrimps: number
  serviceOrder: number | null
  maintenanceDate: string | null
  recordedBy: string
  recordedAt: string
}

export const safetyTexts: Record<SafetyCondition, string> = {
  segura: 'Segura para uso',
  'segura-com-restricoes': 'Segura com restrições',
  insegura: 'Insegura: fora de uso',
}

const occasions: Record<CrimpHistoryEntry['change'], string> = {
  limit: 'Limite alterado',
  schedule: 'Agendamento',
  reset: 'Contador zerado',
}

/** `day` is the plant's, `YYYY-MM-DD`. */
export const maintenanceRecordsFileName = (day: string): string => `registros_manutencao_nr12_${day}.csv`

/** The maintenance records of a plant (NR-12, 12.11), as a file. `momentText` writes an instant as people there do. */
export const maintenanceRecordsCsv = (
  records: readonly ListedMaintenanceRecord[],
  momentText: (instant: string) => string,
): string =>
  csvFile([
    [
      'Mini Aplicador',
      'Data do Registro',
      'Ocasião',
      'Ordem de Serviço',
      'Data de Manutenção',
      'Serviço Realizado',
      'Peças Reparadas ou Trocadas',
      'Condição de Segurança',
      'Responsável',
      'Qtd. Crimpagem',
      'Registrado por',
    ],
    ...records.map((record) => [
      csvCode(record.miniaplicator),
      momentText(record.recordedAt),
      occasions[record.change],
      record.serviceOrder === null ? '' : String(record.serviceOrder),
      record.maintenanceDate === null ? '' : dayText(record.maintenanceDate),
      csvText(record.serviceDone),
      csvText(record.parts),
      safetyTexts[record.safetyCondition],
      csvText(record.responsible),
      String(record.numberOfCrimps),
      csvText(record.recordedBy),
    ]),
  ])
