import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { containmentDecisions, type DecisionForm } from './containment-decisions.ts'
import { type ContainmentForm, containmentFiles, containments, type WindowForm } from './containments.ts'
import type { Endpoint } from './endpoint.ts'

const ID = '00000000-0000-4000-8000-000000000001'

const calls: Endpoint[] = [containments, containmentDecisions, containmentFiles].flatMap((rows) => Object.values(rows))

test('who may read, record and decide, and which calls may come twice or name a version', () => {
  const said = calls.map(({ method, path, access, ...row }) =>
    [method, path, access, row.idempotent && 'idempotent', row.versioned && 'versioned', row.suffices]
      .filter(Boolean)
      .join(' '),
  )
  expect(said).toEqual([
    'GET /api/contencoes/previa read',
    'POST /api/contencoes record idempotent',
    'GET /api/contencoes read',
    'GET /api/contencoes/itens read',
    'GET /api/contencoes/:id read',
    'POST /api/contencoes/:id/janela record versioned',
    'POST /api/contencoes/:id/decisoes dispose idempotent',
    'POST /api/contencoes/:id/encerramento dispose versioned',
    'POST /api/contencoes/:id/reabertura dispose versioned',
    'GET /api/contencoes/:id/etiquetas read cookie',
    'GET /api/contencoes/:id/folha read cookie',
    'GET /api/contencoes/:id/csv read cookie',
  ])
})

const isTaken = (schema: z.ZodMiniType | undefined, body: unknown) =>
  schema !== undefined && z.safeParse(schema, body).success

const opening: ContainmentForm = { medicao: ID, caracteristica: 'altura' }
const byHand: ContainmentForm = { filial: '010101', tipo: 'lote', termo: 'L-1' }
const ends: WindowForm = { inicio: '2026-11-23T09:00:00Z', motivo: 'Ajuste sem medição' }
const decision: DecisionForm = { tipo: 'liberar', motivo: 'Medidas', linhas: [{ id: 1, version: 1, pecas: 10 }] }

test('a body that says too little, too much or nonsense is refused at the edge', () => {
  const { body: open } = containments.open
  expect(
    [opening, byHand, { ...opening, semPecas: true, motivo: 'Trocado antes' }].map((one) => isTaken(open, one)),
  ).toEqual(Array(3).fill(true))
  expect(
    [{}, { medicao: ID }, { ...opening, tipo: 'lote' }, { ...byHand, tipo: 'medicao' }, { ...byHand, termo: '' }].map(
      (one) => isTaken(open, one),
    ),
  ).toEqual(Array(5).fill(false))
  const { body: change } = containments.changeWindow
  expect(
    [ends, { ...ends, motivo: '' }, { ...ends, motivo: ' - ' }, { ...ends, inicio: 'ontem' }].map((one) =>
      isTaken(change, one),
    ),
  ).toEqual([true, false, false, false])
  const { body: decide } = containmentDecisions.decide
  const row = (pecas: unknown) => ({ ...decision, linhas: [{ id: 1, version: 1, pecas }] })
  expect([decision, { ...decision, verificado: 'amostra', amostra: 5 }].map((one) => isTaken(decide, one))).toEqual([
    true,
    true,
  ])
  expect(
    [
      row(0),
      row(1.5),
      { ...decision, linhas: [] },
      { ...decision, verificado: 'amostra' },
      { ...decision, amostra: 5 },
    ].map((one) => isTaken(decide, one)),
  ).toEqual(Array(5).fill(false))
  const { body: close } = containmentDecisions.close
  expect([{}, { engano: true }, { engano: true, motivo: 'Tecla errada' }].map((one) => isTaken(close, one))).toEqual([
    ...[true, false, true],
  ])
})
