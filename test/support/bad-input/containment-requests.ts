import type { Sent } from './requests.ts'

/** An act of this id is outside its plan. */
export const goodOutsideId = '00000000-0000-4000-a000-00000000000a'

/** A containment of this id was opened before. */
export const goodContainmentId = '00000000-0000-4000-a000-00000000000c'
export const containedLot = { filial: '010101', tipo: 'lote', termo: 'L261118004' } as const

/** One good request of every call of containments. */
export const containmentRequests: Record<string, Sent> = {
  'GET /api/contencoes/previa': {
    query: {
      ...{ medicao: goodOutsideId, caracteristica: 'altura', depoisDe: '0' },
      ...{ inicio: '2026-11-01T08:00:00Z', fim: '2026-11-21T08:00:00Z' },
    },
  },
  'POST /api/contencoes': {
    body: {
      ...{ medicao: goodOutsideId, caracteristica: 'altura', motivo: 'Ajuste sem medição' },
      ...{ inicio: '2026-11-01T08:00:00Z', fim: '2026-11-21T08:00:00Z', semApontamentos: [] },
    },
  },
  'GET /api/contencoes': { query: { filial: '010101', inicio: '2026-11-01', fim: '2026-11-21' } },
  'GET /api/contencoes/itens': { query: { filial: '010101' } },
  'GET /api/contencoes/:id': { params: { id: goodContainmentId }, query: { depoisDe: '0' } },
  'POST /api/contencoes/:id/janela': {
    params: { id: goodContainmentId },
    body: { inicio: '2026-11-01T08:00:00Z', motivo: 'Também antes' },
  },
  'GET /api/contencoes/:id/etiquetas': { params: { id: goodContainmentId }, query: { linha: '1', copias: '2' } },
  'GET /api/contencoes/:id/folha': { params: { id: goodContainmentId } },
  'GET /api/contencoes/:id/csv': { params: { id: goodContainmentId } },
  'POST /api/contencoes/:id/decisoes': {
    params: { id: goodContainmentId },
    body: {
      ...{ tipo: 'liberar', motivo: 'Conferidas', linhas: [{ id: 2, version: 1, pecas: 1 }] },
      ...{ verificado: 'amostra', amostra: 5, verificadoTexto: 'Cinco peças medidas', motivoRefugo: 'outro', passo: 1 },
    },
  },
  'POST /api/contencoes/:id/encerramento': {
    params: { id: goodContainmentId },
    body: { engano: true, motivo: 'Tudo conferido' },
  },
  'POST /api/contencoes/:id/reabertura': { params: { id: goodContainmentId }, body: { motivo: 'Falta um fardo' } },
}
