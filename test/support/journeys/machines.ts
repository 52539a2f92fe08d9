import { randomUUID } from 'node:crypto'
import type { Equipment, EquipmentList } from '../../../src/contract/equipment.ts'
import type { MaintenanceCall } from '../../../src/contract/maintenance-calls.ts'

const MINUTE_MS = 60_000

const makers = ['Komax', 'Schäfer', 'Mecal', 'Telsonic']
const descriptions = ['ALPHA CORTE E CRIMPAGEM', 'PRENSA DE BANCADA', 'PRENSA DE EMENDA', 'SOLDA ULTRASSOM']
const operators = ['Maria Souza', 'Ana Lima', 'João Batista', 'Carlos Pereira']

/** Minutes since the last recording: at work, standing, of another day. */
const ages = [2, 11, 48, 3000, 7, 190, 60_000]

const idleHours = [0, 0, 0, 0, 0, 0, 0, 0]

function machine(at: number, nowMs: number): Equipment {
  const minutes = ages[at % ages.length] ?? 0
  const isUsed = minutes < 1000
  return {
    id: `${['KX', 'PR', 'SP', 'US'][at % 4]}${String(at + 1).padStart(4, '0')}`,
    fabricante: makers[at % 4] ?? '',
    descricao: `${descriptions[at % 4]} ${String(at + 1).padStart(2, '0')}`,
    cadastrada: at % 9 !== 8,
    ultimo:
      at % 11 === 10
        ? null
        : {
            quando: new Date(nowMs - minutes * MINUTE_MS).toISOString(),
            parte: (['cabo', 'l1', 'juncao', 'l2'] as const)[at % 4] ?? 'cabo',
            ordem: '01621401001',
            item: at % 4 === 2 ? '' : '000010',
            codigoBarras: at % 4 === 2 ? '' : '0101621401001000010007',
            posicao: at % 4 === 2 ? 'J01' : '',
            pecas: 120 + at,
            restam: at % 4 === 2 ? null : 1250 - 90 * at,
            operador: operators[at % 4] ?? '',
          },
    hoje: { pecas: isUsed ? 340 * (at + 1) : 0, media: at % 5 === 4 ? null : 2870 },
    turno: { pecas: isUsed ? 110 * (at + 1) : 0, media: at % 5 === 4 ? null : 960 },
    porHora: {
      turno: isUsed
        ? [30, 34, 41, 38, 12, 0, 0, 0].map((pieces) => Math.round((pieces * (at + 1) * 110) / 155))
        : idleHours,
      ontem: at % 5 === 4 ? idleHours : [120, 131, 118, 126, 109, 122, 124, 110],
    },
    miniaplicador:
      at % 4 === 1 || at % 4 === 3
        ? { nome: `MA-${String(at).padStart(4, '0')}`, crimpagens: 12_000 * at, limite: 100_000 }
        : null,
    aguardandoErp: at % 6 === 1 ? at : 0,
  }
}

export function equipmentOf(count: number, changed: Partial<EquipmentList> = {}): EquipmentList {
  const nowMs = Date.now()
  return {
    dia: new Date(nowMs).toISOString().slice(0, 10),
    turno: { inicio: '2026-11-21T17:00:00.000Z', fim: '2026-11-22T01:00:00.000Z' },
    cadastroLidoEm: new Date(nowMs).toISOString(),
    equipamentos: Array.from({ length: count }, (_, at) => machine(at, nowMs)),
    ...changed,
  }
}

export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

/** A call for maintenance, open for 34 minutes. */
export const callOf = (changed: Partial<MaintenanceCall>): MaintenanceCall => ({
  ...{ id: randomUUID(), numero: 1, filial: '010101', maquina: 'KX0001', miniaplicador: '', codigoBarras: '' },
  ...{ posicao: '', ordem: '01621401001', lado: '', sintoma: 'altura-fora', nota: '', situacao: 'aberto' },
  ...{ abertoEm: minutesAgo(34), abertoPor: 'Maria Souza', autorConfirmado: true, enviadoDepois: false, juntados: 0 },
  ...{ atendidoEm: null, atendidoPor: '', encerradoEm: null, encerradoPor: '', causa: null, causaTexto: '', feito: '' },
  ...{ motivo: '', maintenanceRecord: null, version: 1, equipe: 'manutencao', assunto: '', medicao: null },
  ...changed,
})
