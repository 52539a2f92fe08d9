import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Trace } from '../../src/contract/traces.ts'
import { readBarcode } from '../support/code-128.ts'
import { storeContainment } from '../support/containments.ts'
import { addUser, crimpOf, openTestPanel, type TestPanel, UNTOUCHED } from '../support/harness.ts'

async function setUp() {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const ask = (url: string) => panel.ask(token, { url })
  const recorded = [randomUUID(), randomUUID()]
  for (const [at, id] of recorded.entries()) await panel.record(token, crimpOf(10 * (at + 1)), id)
  const [first = '', second = ''] = recorded
  const id = await storeContainment(panel.db, [
    { id: first, pieces: 10 },
    { id: second, pieces: 20, certainty: 'possivel' },
  ])
  return { ...panel, ask, id, recorded }
}

async function decideAll({ db }: TestPanel, containment_id: string, recordingId: string) {
  const row = await db.read
    .selectFrom('containment_rows')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .executeTakeFirstOrThrow()
  await db.transaction((tx) =>
    tx
      .insertInto('containment_steps')
      .values({
        ...{
          press_id: randomUUID(),
          content_hash: 'x',
          containment_id,
          row_id: row.id,
          kind: 'liberar',
          of_step: null,
        },
        ...{ pieces: row.pieces, reason: 'Medidas', checked: 'medidas-100', sample_pieces: null, checked_text: null },
        ...{ scrap_reason: null, decided_by: 'Rita Melo', user_id: 1, at: 1, decided_day: '2026-11-21' },
      })
      .execute(),
  )
  return row.id
}

const codesOf = (page: string) => [...page.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => readBarcode(svg))
const printed = async ({ db }: TestPanel) =>
  (await db.read.selectFrom('audit_entries').select('action').execute()).map(({ action }) => action)

test('labels are printed of what is suspect, each as often as somebody wants, and the trail says so', async () => {
  const panel = await setUp()
  const labels = async (query = '') => await panel.ask(`/api/contencoes/${panel.id.toUpperCase()}/etiquetas${query}`)
  const all = await labels()
  expect(all.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(all.headers['content-security-policy']).toMatch(/default-src 'none'.*style-src 'sha256-/)
  expect(codesOf(all.body)).toEqual(['C-000123', UNTOUCHED, 'C-000123', UNTOUCHED])
  for (const text of ['Peças: 10<', 'Peças: 20<', 'Terminal Lado 1', 'Maria Souza']) expect(all.body).toContain(text)
  expect(await printed(panel)).toEqual(['containment_printed'])
  const [first = ''] = panel.recorded
  const row = await decideAll(panel, panel.id, first)
  expect(codesOf((await labels('?copias=2')).body), 'what is released is no longer suspect').toHaveLength(4)
  expect(codesOf((await labels(`?linha=${row}&copias=3`)).body), 'a row that somebody names').toHaveLength(6)
  for (const wrong of ['?copias=0', '?copias=100', '?copias=1,5', '?linha=x']) {
    expect([wrong, (await labels(wrong)).statusCode]).toEqual([wrong, 400])
  }
  expect((await panel.ask(`/api/contencoes/${randomUUID()}/etiquetas`)).statusCode).toBe(404)
})

test('sheet and CSV have each row with what was decided about it', async () => {
  const panel = await setUp()
  await decideAll(panel, panel.id, panel.recorded[0] ?? '')
  const sheet = (await panel.ask(`/api/contencoes/${panel.id}/folha`)).body
  for (const text of [
    ...['Contenção C-000123', 'Altura fora: 1,170 mm', '<dt>Suspeitas</dt><dd>20</dd>', '<dd>em aberto</dd>'],
    ...['C-000123: certo · Liberadas 10', 'C-000123: pode conter · Suspeitas 20', 'Fim da folha: 2 apontamentos'],
  ]) {
    expect(sheet).toContain(text)
  }
  const csv = await panel.ask(`/api/contencoes/${panel.id}/csv`)
  expect(csv.headers['content-disposition']).toBe('attachment; filename="contencao_C-000123_2026-11-21.csv"')
  const lines = csv.body.trim().split('\r\n')
  expect(lines[0]).toMatch(/Certeza;Suspeitas;Em retrabalho;Liberadas;Sucateadas;Divergência$/)
  expect(lines.slice(1).map((line) => line.split(';').slice(-6))).toEqual([
    ['certo', '0', '0', '10', '0', ''],
    ['pode conter', '20', '0', '0', '0', ''],
  ])
  expect(await printed(panel)).toEqual(['containment_printed', 'exported'])
})

test('a trace says of each recording in which containment it is, and how it stands there', async () => {
  const panel = await setUp()
  await decideAll(panel, panel.id, panel.recorded[0] ?? '')
  const { linhas } = (await panel.ask(`/api/rastreabilidade?termo=${UNTOUCHED}&tipo=barras`)).json<Trace>()
  expect(linhas.toSorted((one, other) => one.pecas - other.pecas).map((line) => line.contencoes)).toEqual([
    [{ numero: 'C-000123', situacao: 'liberada' }],
    [{ numero: 'C-000123', situacao: 'em contenção' }],
  ])
  const csv = (await panel.ask(`/api/rastreabilidade/csv?termo=${UNTOUCHED}&tipo=barras`)).body
  expect(csv).toMatch(/Refugo da etapa;Contenção\r\n/)
  expect(csv).toContain('"C-000123: em contenção"')
  const sheet = (await panel.ask(`/api/rastreabilidade/folha?termo=${UNTOUCHED}&tipo=barras`)).body
  expect(sheet).toContain('<span>C-000123: liberada</span>')
})

test('the number of a label is found as a containment, and as no lot; its trace names it again', async () => {
  const panel = await setUp()
  for (const term of ['C-000123', 'c-000123']) {
    const trace = await panel.ask(`/api/rastreabilidade?${new URLSearchParams({ termo: term })}`)
    expect([trace.statusCode, trace.json<Trace>().linhas]).toEqual([200, []])
    const found = (await panel.ask(`/api/contencoes/${term}`)).json<{
      contencao: { id: string; numero: string }
      linhas: { apontamento: string; codigoBarras: string }[]
    }>()
    expect(found.contencao).toMatchObject({ id: panel.id, numero: 'C-000123' })
    expect(found.linhas.map(({ apontamento }) => apontamento)).toEqual(panel.recorded)
    const [{ codigoBarras = '' } = {}] = found.linhas
    const { linhas } = (await panel.ask(`/api/rastreabilidade?termo=${codigoBarras}&tipo=barras`)).json<Trace>()
    expect(linhas.map(({ contencoes }) => contencoes?.map(({ numero }) => numero))).toEqual([
      ['C-000123'],
      ['C-000123'],
    ])
  }
  expect((await panel.ask('/api/contencoes/C-000124')).statusCode).toBe(404)
})
