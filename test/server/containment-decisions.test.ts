import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DecisionForm } from '../../src/contract/containment-decisions.ts'
import type { Containment, ContainmentRow, StepKind } from '../../src/contract/containments.ts'
import { readRows, stateOf, storeContainment } from '../support/containments.ts'
import { addUser, crimpOf, databases, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { findUnit } from '../support/units.ts'

type Answer = { http: number; code?: string; message?: string; details?: { field: string; message: string }[] }
type Decided = Answer & { contencao: Containment; linhas: ContainmentRow[] }

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'qualidade', role: 'qualidade', fullName: 'Rita Melo' })
  const tokens = { operador: (await panel.login('operador')).token, qualidade: (await panel.login('qualidade')).token }
  const recorded = [randomUUID(), randomUUID()]
  for (const id of recorded) await panel.record(tokens.operador, crimpOf(50), id)
  const post = async (url: string, payload: object, more: { key?: string; who?: keyof typeof tokens } = {}) => {
    const { key = randomUUID(), who = 'qualidade' } = more
    const headers = { 'idempotency-key': key }
    const answer = await panel.ask(tokens[who], { method: 'POST', url: `/api/contencoes/${url}`, headers, payload })
    return { http: answer.statusCode, ...answer.json<Omit<Decided & Containment, 'http'>>() }
  }
  const contain = (pieces: readonly number[], number = 123) =>
    storeContainment(
      panel.db,
      pieces.map((count, at) => ({ id: recorded[at] ?? '', pieces: count })),
      { number },
    )
  /** Rows as they stand, with the pieces that somebody decides about. */
  const linesOf = async (id: string, ...pecas: number[]) =>
    (await readRows(panel.db, id)).slice(0, pecas.length).map((row, at) => ({
      ...{ id: row.id, version: row.version, pecas: pecas[at] ?? 0 },
    }))
  const decide = async (id: string, pecas: number[], more: Partial<DecisionForm>, key?: string) =>
    await post(`${id}/decisoes`, { ...formOf(more), linhas: await linesOf(id, ...pecas), ...more }, key ? { key } : {})
  return { ...panel, tokens, recorded, post, contain, linesOf, decide }
}

/** With what its kind needs. */
const formOf = ({ tipo = 'liberar' }: Partial<DecisionForm>) => ({
  ...{ tipo, motivo: 'Conferido' },
  ...(tipo.startsWith('liberar') ? { verificado: 'medidas-100' } : {}),
  ...(tipo.startsWith('sucatear') ? { motivoRefugo: 'altura-fora' } : {}),
})

type GoldenStep = { kind: StepKind; pieces?: number; of?: number }
type Golden = {
  name: string
  pieces: number
  steps: GoldenStep[]
  expected: { state: object; refused: GoldenStep | null; divergente: boolean; closable: boolean }
}
const { balances } = JSON.parse(
  readFileSync(new URL('../support/golden/suspect-window.json', import.meta.url), 'utf8'),
) as { balances: Golden[] }

describe.each(databases)('decisions on %s', (database) => {
  test('take pieces as the golden balances say, and close what is decided', async () => {
    const panel = await setUp({ database })
    const { correctRows } = await import('../../src/server/store/containment-corrections.ts')
    for (const [at, { name, pieces, steps, expected }] of balances.entries()) {
      const id = await panel.contain([pieces], 200 + at)
      const taken: number[] = []
      let refused: GoldenStep | null = null
      for (const step of steps) {
        const [recording = ''] = panel.recorded
        const [before] = await readRows(panel.db, id)
        const isSettled = step.kind === 'corrigir' && before?.balance.pieces === 90 && step.pieces === 100
        if (step.kind === 'corrigir' && !isSettled) {
          await panel.db.transaction((tx) => correctRows(tx, recording, step.pieces ?? 0, panel.clock.now()))
        } else {
          const passo = step.of === undefined ? undefined : taken[step.of]
          const answer = await panel.decide(id, [step.pieces ?? 1], { tipo: step.kind, ...(passo && { passo }) })
          if (answer.http === 409) {
            expect(answer.code, name).toBe('containment_balance')
            refused = step
            continue
          }
          expect([answer.http, answer.code], name).toEqual([201, undefined])
        }
        taken.push((await readRows(panel.db, id))[0]?.steps.at(-1)?.id ?? 0)
      }
      const [row] = await readRows(panel.db, id)
      const { suspect: suspeitas, rework: retrabalho, released, scrapped } = row?.balance ?? {}
      const state = { suspeitas, retrabalho, liberadas: released, sucateadas: scrapped }
      expect([name, { state, refused }]).toEqual([name, { state: expected.state, refused: expected.refused }])
      const closed = await panel.post(`${id}/encerramento`, {})
      expect([name, closed.http]).toEqual([name, expected.closable ? 200 : 409])
      // the next one has a recording of its own
      await panel.db.transaction((tx) => tx.deleteFrom('containment_rows').execute())
    }
  })

  test('are written once, all rows of a press or none', async () => {
    const panel = await setUp({ database })
    const id = await panel.contain([50, 50])
    const linhas = await panel.linesOf(id, 20, 51)
    const body = { ...formOf({}), linhas }
    expect(await panel.post(`${id}/decisoes`, body)).toMatchObject({
      ...{ http: 409, code: 'containment_balance', message: 'Restam 50 peças suspeitas nesta linha.' },
    })
    expect((await readRows(panel.db, id)).map(({ version, steps }) => [version, steps.length])).toEqual([
      [1, 0],
      [1, 0],
    ])
    const key = randomUUID()
    const good = { ...body, linhas: await panel.linesOf(id, 20, 50) }
    const answers = await Promise.all([1, 2, 3].map(() => panel.post(`${id}/decisoes`, good, { key })))
    expect(answers.map(({ http }) => http)).toEqual([201, 201, 201])
    expect(answers[0]?.linhas.map((row) => [row.version, row.suspeitas, row.liberadas])).toEqual([
      [2, 30, 20],
      [2, 0, 50],
    ])
    expect((await panel.post(`${id}/decisoes`, { ...good, motivo: 'Outro' }, { key })).code).toBe(
      'idempotency_key_reused',
    )
    expect((await panel.post(`${id}/decisoes`, good)).code, 'somebody decided meanwhile').toBe('changed_meanwhile')
    const elsewhere = await panel.contain([50], 124)
    const foreign = await panel.post(`${elsewhere}/decisoes`, { ...body, linhas: await panel.linesOf(id, 1) })
    expect([foreign.http, foreign.details]).toEqual([400, [{ field: 'linhas', message: 'Linha de outra contenção' }]])
  })

  test('scrap pieces once, without wear, and a step that is taken back takes its scrap with it', async () => {
    const panel = await setUp({ database })
    const id = await panel.contain([50])
    const crimps = async () => (await findUnit(panel.db.read, 'MA-0001'))?.crimps
    const before = await crimps()
    const key = randomUUID()
    const form = { ...formOf({ tipo: 'sucatear' }), linhas: await panel.linesOf(id, 12) }
    for (let times = 0; times < 2; times++) await panel.post(`${id}/decisoes`, form, { key })
    const scraps = async () =>
      (await panel.db.read.selectFrom('scraps').selectAll().execute()).map((row) => [
        ...[row.origin, row.pieces, row.reason_code, row.barcode, row.part, row.operator, row.note, row.counted],
      ])
    const scrap = ['contencao', 12, 'altura-fora', UNTOUCHED, 'l1', 'Rita Melo', 'Conferido']
    expect(await scraps()).toEqual([[...scrap, 1]])
    expect(await crimps()).toBe(before)
    const [row] = await readRows(panel.db, id)
    const undone = await panel.decide(id, [1], { tipo: 'estornar', passo: row?.steps[0]?.id })
    expect(undone.linhas).toMatchObject([{ suspeitas: 50, sucateadas: 0 }])
    expect(await scraps()).toEqual([[...scrap, 0]])
    expect((await panel.decide(id, [1], { tipo: 'estornar', passo: row?.steps[0]?.id })).details).toEqual([
      { field: 'passo', message: 'Este passo não existe ou já foi desfeito.' },
    ])
    const daily = await panel.db.read.selectFrom('daily_scrap').select('pieces').execute()
    expect(daily).toEqual([{ pieces: 0 }])
  })

  test('end with a close that says what is missing, a mistake that releases the rest, and a reopening', async () => {
    const panel = await setUp({ database })
    const id = await panel.contain([50, 50])
    const close = (payload: object = {}) => panel.post(`${id}/encerramento`, payload)
    expect(await close()).toMatchObject({ http: 409, message: 'Faltam 100 peças suspeitas.' })
    await panel.decide(id, [40], { tipo: 'retrabalhar' })
    expect((await close({ engano: true })).details).toEqual([{ field: 'motivo', message: 'Escreva o motivo.' }])
    expect(await close({ engano: true, motivo: 'Gabarito trocado' })).toMatchObject({
      ...{ http: 200, situacao: 'encerrada', liberadas: 100, encerradaPor: 'Rita Melo' },
    })
    expect((await close()).code).toBe('containment_closed')
    expect((await panel.decide(id, [1], {})).code).toBe('containment_closed')
    const reopened = await panel.post(`${id}/reabertura`, { motivo: 'Falta um fardo' })
    expect([reopened.http, await stateOf(panel.db, id)]).toEqual([200, 'aberta'])
    const again = await panel.post(`${id}/reabertura`, { motivo: 'Falta um fardo' })
    expect([again.http, again.version], 'nothing was changed by it').toEqual([200, reopened.version])
    const trail = await panel.db.read.selectFrom('audit_entries').select(['action', 'reason']).orderBy('id').execute()
    expect(trail).toEqual([
      { action: 'containment_decided', reason: 'Conferido' },
      { action: 'containment_closed', reason: 'Gabarito trocado' },
      { action: 'containment_reopened', reason: 'Falta um fardo' },
    ])
  })
})

test('a decision that lacks something is refused at its field, and from whoever may not decide', async () => {
  const panel = await setUp()
  const id = await panel.contain([50])
  const problem = async (more: Partial<DecisionForm> & Record<string, unknown>, pecas = [1]) =>
    (await panel.decide(id, pecas, more as Partial<DecisionForm>)).details?.[0]
  const bare: Record<string, unknown> = { verificado: undefined, motivoRefugo: undefined }
  expect(await problem(bare)).toEqual({ field: 'verificado', message: 'O que foi verificado?' })
  expect(await problem({ verificado: 'amostra' })).toEqual({ field: 'amostra', message: 'Informe quantas peças' })
  expect(await problem({ verificado: 'derrogacao' })).toMatchObject({ field: 'verificadoTexto' })
  expect(await problem({ ...bare, tipo: 'sucatear' })).toMatchObject({ field: 'motivoRefugo' })
  expect(await problem({ tipo: 'sucatear', motivoRefugo: 'fio-solto' })).toEqual({
    ...{ field: 'motivoRefugo', message: 'Este motivo é de outra etapa.' },
  })
  expect(await problem({ tipo: 'sucatear', motivoRefugo: 'nunca-visto' })).toMatchObject({ field: 'motivoRefugo' })
  expect((await panel.decide(id, [1], { tipo: 'sucatear', motivoRefugo: 'contencao' })).http).toBe(201)
  expect(await problem({ tipo: 'estornar' })).toMatchObject({ field: 'passo' })
  expect(await problem({ tipo: 'corrigir' })).toEqual({
    ...{ field: 'linhas', message: 'Só se acerta uma linha que diverge, pelo que já foi decidido: 1.' },
  })
  expect(await problem({ motivo: ' - ' })).toMatchObject({ field: 'motivo' })
  for (const pecas of [0, 1.5, -1]) expect((await panel.decide(id, [pecas], {})).http).toBe(400)
  const body = { ...formOf({}), linhas: await panel.linesOf(id, 1) }
  expect((await panel.post(`${id}/decisoes`, body, { who: 'operador' })).http).toBe(403)
  expect((await panel.post(`${randomUUID()}/decisoes`, body)).http).toBe(404)
})

test('50 decisions at once on two servers of one database never take more than a row has', async () => {
  for (const database of databases) {
    const first = await setUp({ database })
    const second = await openTestPanel({ db: first.db })
    const token = (await second.login('qualidade')).token
    const id = await first.contain([50])
    const press = async (at: number) => {
      const kind = (['liberar', 'retrabalhar', 'sucatear'] as const)[at % 3] ?? 'liberar'
      for (let tries = 0; tries < 60; tries++) {
        const payload = { ...formOf({ tipo: kind }), linhas: await first.linesOf(id, 7) }
        const request = { method: 'POST', url: `/api/contencoes/${id}/decisoes`, payload } as const
        const asking = { ...request, headers: { 'idempotency-key': randomUUID() } }
        const answer = await (at % 2 ? second.ask(token, asking) : first.ask(first.tokens.qualidade, asking))
        if (answer.json<{ code?: string }>().code !== 'changed_meanwhile') return answer.statusCode
      }
      return 0
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => press(at)))
    expect(answers.toSorted()).toEqual([...Array(7).fill(201), ...Array(43).fill(409)])
    const [row] = await readRows(first.db, id)
    expect([row?.balance.suspect, row?.steps.length]).toEqual([1, 7])
  }
})
