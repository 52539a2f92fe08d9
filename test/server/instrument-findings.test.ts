import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { InstrumentForm } from '../../src/contract/instruments.ts'
import type { MeasurementForm } from '../../src/contract/measurements.ts'
import type { Capture } from '../../src/contract/recordings.ts'
import type { PlanFinding, Release } from '../../src/contract/releases.ts'
import type { PlanMode } from '../../src/contract/settings.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertInstrument } from '../../src/server/store/instruments.ts'
import { INSTRUMENT_MODE, PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { crimpOf, type Database, databases, ORDER, PASSWORD, UNTOUCHED } from '../support/harness.ts'
import { planOf, setUpMeasuring } from '../support/measuring.ts'
import { blocked } from '../support/waiting.ts'

const good = { descricao: '', resolucao: 1, calibradoAte: '2027-11-01', ativo: true }
const instruments: InstrumentForm[] = [
  { ...good, codigo: 'MIC', tipo: 'micrometro' },
  { ...good, codigo: 'VENCIDO', tipo: 'micrometro', calibradoAte: '2026-11-01' },
  { ...good, codigo: 'INATIVO', tipo: 'micrometro', ativo: false },
  { ...good, codigo: 'PAQ', tipo: 'paquimetro', resolucao: 10 },
  { ...good, codigo: 'DIN', tipo: 'dinamometro', resolucao: 100 },
  { ...good, codigo: 'ANTIGO', resolucao: 10 },
]
const heights = (...valores: number[]) => [{ caracteristica: 'altura' as const, valores }]
const forces = (...valores: number[]) => [{ caracteristica: 'forca' as const, valores }]

async function setUp(mode: PlanMode = 'observar', database: Database = 'sqlite') {
  const panel = await setUpMeasuring({ database })
  const { db, clock, token, plan, measure, ask } = panel
  const { forcaMin: _, ...ofHeight } = planOf({ leiturasAltura: 1, leiturasForca: 1, instrumento: 'MIC' })
  await plan(ofHeight)
  await db.transaction(async (tx) => {
    await saveSetting(tx, INSTRUMENT_MODE, mode)
    for (const instrument of instruments) await insertInstrument(tx, instrument)
  })
  const record = async (captura: Capture) => {
    clock.advance(1000)
    const answer = await panel.record(token, { ...crimpOf(1), captura })
    return [answer.statusCode, answer.json().code ?? answer.json().status]
  }
  /** A sample by 'Medir', and the recording that names it. */
  const sample = async (more: Partial<MeasurementForm>) => {
    clock.advance(1000)
    const id = randomUUID()
    expect((await measure({ leituras: heights(1100), ...more }, id)).http, 'what was measured is stored').toBe(201)
    return id
  }
  const work = async (more: Partial<MeasurementForm>, captura: Capture = {}) =>
    await record({ plano: 1, medicoes: [await sample(more)], ...captura })
  const listed = async (): Promise<PlanFinding[]> =>
    (await ask(token, { url: '/api/planos-de-controle/ocorrencias' })).json().ocorrencias
  const findings = async () => (await listed()).map(({ achado, modo }) => [achado, modo]).toReversed()
  return { ...panel, recordAs: panel.record, record, sample, work, listed, findings }
}

test('whoever measures with a gauge that is not good is noted in every mode', async () => {
  const { work, record, listed, findings } = await setUp()
  await work({ instrumento: 'mic' })
  await work({ instrumento: 'ANTIGO', leituras: heights(1101) })
  await record({ plano: 1, medidoAltura: true, medidoForca: true })
  expect(await findings(), 'a good one, one of before without a kind, and a typed value').toEqual([])
  await work({ instrumento: 'VENCIDO' })
  await work({ instrumento: 'INATIVO' })
  await work({ instrumento: 'QUALQUER' })
  await work({})
  await work({ instrumento: 'MIC', leituras: forces(80_000) })
  await work({ instrumento: 'PAQ', leituras: heights(1101) })
  await work({ instrumento: 'DIN', leituras: heights(1101) })
  expect(await findings()).toEqual([
    ['instrumento-vencido', 'observar'],
    ['instrumento-inativo', 'observar'],
    ['instrumento-desconhecido', 'observar'],
    ['sem-instrumento', 'observar'],
    ['instrumento-inadequado', 'observar'],
    ['instrumento-resolucao', 'observar'],
    ['instrumento-inadequado', 'observar'],
    ['instrumento-resolucao', 'observar'],
  ])
  expect((await listed())[0]).toMatchObject({ ordem: ORDER, codigoBarras: UNTOUCHED, pecas: 1 })
})

test('without an instrument nothing is noted where the plan names none', async () => {
  const { db, work, findings } = await setUp()
  await db.transaction((tx) => tx.updateTable('control_plans').set({ instrument: '' }).execute())
  await work({})
  expect(await findings()).toEqual([])
})

test.each(databases)('a plant that blocks waits for a good gauge or a release, once, on %s', async (database) => {
  const { work, sample, record, findings, ask, token, db } = await setUp('bloquear', database)
  expect(await work({ instrumento: 'MIC' })).toEqual([201, 'enviado'])
  const bad = await sample({ instrumento: 'VENCIDO' })
  expect(await record({ plano: 1, medicoes: [bad] })).toEqual([409, 'plan_not_met'])
  expect(await findings(), 'as if it had never been').toEqual([])
  const again = await sample({ instrumento: 'MIC' })
  expect(await record({ plano: 1, medicoes: [bad, again] }), 'the newest of the height counts').toEqual([
    201,
    'enviado',
  ])
  const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' }
  const release = async () => {
    const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Conferido' }
    return (await ask(token, { method: 'POST', url: '/api/liberacoes', payload })).json<Release>().id
  }
  const once = { plano: 1, medicoes: [await sample({ instrumento: 'VENCIDO' })], liberacao: await release() }
  expect(await record(once)).toEqual([201, 'enviado'])
  expect(await record(once), 'it is good for one').toEqual([409, 'plan_not_met'])
  await db.transaction((tx) => saveSetting(tx, PLAN_MODE, 'bloquear'))
  const worse = await sample({ instrumento: 'VENCIDO', leituras: heights(1200), acao: 'ajustei' })
  expect(await record({ plano: 1, medicoes: [worse], liberacao: await release() }), 'one release for both').toEqual([
    201,
    'enviado',
  ])
  expect(await findings(), 'and nothing that the plan never said').toEqual([
    ['instrumento-vencido', 'bloquear'],
    ['instrumento-vencido', 'bloquear'],
    ['fora-do-plano', 'bloquear'],
  ])
})

test('what a tablet has saved is never refused for its gauge, nor what warns or names no plan', async () => {
  const { work, findings, listed, db } = await setUp('avisar')
  const motivoForaDoPlano = { motivo: 'instrumento', texto: '' } as const
  expect(await work({ instrumento: 'VENCIDO' }, { motivoForaDoPlano })).toEqual([201, 'enviado'])
  await db.transaction((tx) => saveSetting(tx, INSTRUMENT_MODE, 'bloquear'))
  expect(await work({ instrumento: 'VENCIDO' }, { plano: undefined })).toEqual([201, 'enviado'])
  const saved = await work({ instrumento: 'VENCIDO' }, { salvoNoDispositivo: true, motivoForaDoPlano })
  expect(saved[0]).toBe(202)
  expect(await findings()).toEqual([
    ['instrumento-vencido', 'avisar'],
    ['instrumento-vencido', 'bloquear'],
    ['instrumento-vencido', 'bloquear'],
  ])
  expect((await listed()).map(({ motivo }) => motivo)).toEqual(['Instrumento em dúvida', '', 'Instrumento em dúvida'])
})

test('a correction says with what gauge its samples were taken, and that its tool is unsafe', async () => {
  const { sample, recordAs: record, listed, deliverDue, decide, token, db } = await setUp('bloquear')
  const id = randomUUID()
  const medicoes = [await sample({ instrumento: 'VENCIDO' })]
  await record(token, blocked({ ...crimpOf(1), captura: { plano: 1, medicoes, salvoNoDispositivo: true } }), id)
  await deliverDue()
  await db.transaction(async (tx) => {
    await insertApplicator(tx, { terminal: 'T1326030', miniaplicator: 'MA-0002', at: 1 })
    await tx.updateTable('applicator_units').set({ unsafe_since: 1 }).where('name', '=', 'MA-0002').execute()
  })
  const newId = randomUUID()
  const answer = await decide(token, id, 'correcao', crimpOf(2, 'MA-0002'), newId)
  expect(answer.statusCode, answer.body).toBe(201)
  const noted = (await listed()).filter(({ apontamento }) => apontamento === newId)
  expect(noted.map(({ achado }) => achado).toSorted()).toEqual(['ferramenta-insegura', 'instrumento-vencido'])
})

test('an administrator chooses the mode of instruments, which says so in the trail', async () => {
  const { ask, admin, db } = await setUp()
  const url = '/api/configuracao'
  expect((await ask(admin, { url })).json()).toMatchObject({ instrumentMode: 'observar', planMode: 'observar' })
  const answer = await ask(admin, { method: 'PUT', url, payload: { instrumentMode: 'bloquear' } })
  expect(answer.json()).toMatchObject({ instrumentMode: 'bloquear', planMode: 'observar' })
  const [entry] = await db.read.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').limit(1).execute()
  expect(auditDetailsText(entry?.details_json ?? '')).toBe('Instrumentos de medição: Observar → Bloquear')
})
