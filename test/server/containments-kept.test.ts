import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Containment, ContainmentRow } from '../../src/contract/containments.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { makeBackup, restore } from '../../src/server/upkeep/backups.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { addUser, crimpOf, databases, openTestPanel, type TestPanel } from '../support/harness.ts'
import { openPlace, placeOf } from '../support/places.ts'
import { BRANCH } from '../support/store.ts'

const YEAR_MS = 366 * 86_400_000
const LOT = 'B23-004517/2'

/** Everything that anybody sees of containments. */
async function seen({ ask }: TestPanel, token: string) {
  const get = async <Body>(url: string) => (await ask(token, { url })).json<Body>()
  const { contencoes } = await get<{ contencoes: Containment[] }>('/api/contencoes')
  const details = await Promise.all(contencoes.map(({ id }) => get(`/api/contencoes/${id}`)))
  return { contencoes, details, items: await get(`/api/contencoes/itens?filial=${BRANCH}`) }
}

const actions = ({ ask }: TestPanel, token: string) => {
  const post = async <Body>(url: string, payload: object) => {
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await ask(token, { method: 'POST', url: `/api/contencoes${url}`, headers, payload })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json<Body>()
  }
  return {
    post,
    open: () => post<Containment>('', { filial: BRANCH, tipo: 'lote', termo: LOT, motivo: 'Aviso do fornecedor' }),
    rowsOf: async (id: string) =>
      (await ask(token, { url: `/api/contencoes/${id}` })).json<{ linhas: ContainmentRow[] }>().linhas,
  }
}

/** One of two recordings that is half decided, with scrap and a step that was taken back, and a closed one. */
async function containTwice(panel: TestPanel, token: string) {
  const { post, open, rowsOf } = actions(panel, token)
  const { id } = await open()
  const decide = async (pecas: number, more: object) => {
    const [row] = await rowsOf(id)
    const linhas = [{ id: row?.id, version: row?.version, pecas }]
    return await post<{ linhas: ContainmentRow[] }>(`/${id}/decisoes`, { motivo: 'Alturas 100%', linhas, ...more })
  }
  await decide(4, { tipo: 'sucatear', motivoRefugo: 'altura-fora' })
  const { linhas } = await decide(5, {
    tipo: 'liberar',
    verificado: 'amostra',
    amostra: 3,
    verificadoTexto: 'todas boas',
  })
  await decide(5, { tipo: 'estornar', passo: linhas[0]?.passos.at(-1)?.id })
  const closed = await open()
  await post(`/${closed.id}/encerramento`, { engano: true, motivo: 'Lote trocado' })
  return { id, closed: closed.id }
}

async function setUp(options: Parameters<typeof openTestPanel>[0]) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'rita', fullName: 'Rita Melo', role: 'qualidade' })
  await addUser(panel.context, { username: 'operador' })
  const token = async (who: string) => (await panel.login(who)).token
  const operator = await token('operador')
  for (const pieces of [10, 20]) await panel.record(operator, crimpOf(pieces))
  const quality = await token('rita')
  return { ...panel, quality, ...(await containTwice(panel, quality)) }
}

const ways = databases.flatMap((from) => databases.map((to) => ({ from, to })))

test.each(ways)('containments of $from stand in $to as they stood, and go on there', async ({ from, to }) => {
  const place = await placeOf(from)
  const panel = await setUp({ env: { DATA_DIR: place.dataDir }, db: openPlace(place) })
  const before = await seen(panel, panel.quality)
  expect(before.contencoes).toMatchObject([
    { numero: 'C-000001', situacao: 'aberta', pecas: 30, suspeitas: 26, sucateadas: 4 },
    { numero: 'C-000002', situacao: 'encerrada', liberadas: 30, motivoEncerramento: 'Lote trocado' },
  ])
  const backup = await makeBackup(place, panel.clock.now())
  const other = await placeOf(to)
  await restore(backup, other, panel.clock.now())
  const again = await openTestPanel({ env: { DATA_DIR: other.dataDir }, db: openPlace(other), clock: panel.clock })
  const { token } = await again.login('rita')
  expect(await seen(again, token)).toEqual(before)

  const { post, open, rowsOf } = actions(again, token)
  const fresh = await open()
  expect(fresh, 'no number and no row twice').toMatchObject({ numero: 'C-000003', linhas: 2, suspeitas: 30 })
  const ids = [...(await rowsOf(panel.id)), ...(await rowsOf(panel.closed)), ...(await rowsOf(fresh.id))]
  expect(new Set(ids.map(({ id }) => id)).size).toBe(6)
  const [row] = await rowsOf(panel.id)
  const scrapped = row?.passos.find(({ tipo }) => tipo === 'sucatear')
  const undoing = { tipo: 'estornar', motivo: 'Não eram estas', passo: scrapped?.id }
  await post(`/${panel.id}/decisoes`, { ...undoing, linhas: [{ id: row?.id, version: row?.version, pecas: 4 }] })
  const scraps = await again.db.read.selectFrom('scraps').select(['pieces', 'counted']).execute()
  expect(scraps, 'a step finds its scrap there').toEqual([{ pieces: 4, counted: 0 }])
})

describe.each(databases)('of who decided about suspect pieces, on %s,', (database) => {
  test('the file names each opening, step and close with what she wrote', async () => {
    const panel = await setUp({ database })
    const rita = (await listUsers(panel.db.read)).find(({ username }) => username === 'rita')
    if (!rita) throw new Error('no user')
    const lines: string[] = []
    for await (const rows of personCsv(panel.db, rita, () => 'agora')) lines.push(...rows.split('\r\n'))
    const count = (text: string) => lines.filter((line) => line.includes(text)).length
    expect(count(';Contenção aberta;')).toBeGreaterThanOrEqual(2)
    expect(count('Texto livre: Aviso do fornecedor')).toBeGreaterThanOrEqual(2)
    const steps = lines.filter((line) => line.includes(';Decisão de contenção;'))
    expect(steps.filter((line) => line.includes('Alturas 100%'))).toHaveLength(3)
    expect(steps.filter((line) => line.includes('todas boas'))).toHaveLength(1)
    expect(
      steps.filter((line) => line.includes('Lote trocado')),
      'each row that the close released',
    ).toHaveLength(2)
    expect(lines.filter((line) => /;Contenção encerrada;.*Lote trocado/.test(line)).length).toBeGreaterThan(0)
  })

  test('the name gives way when its time is over; containments, pieces and what was written stay, the open one open', async () => {
    const panel = await setUp({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const bare = ({ contencoes, details, items }: Awaited<ReturnType<typeof seen>>) =>
      JSON.parse(
        JSON.stringify({ contencoes, details, items }, (key, value) =>
          ['abertaPor', 'encerradaPor', 'por', 'operador'].includes(key) ? '' : value,
        ),
      )
    const read = async () => {
      const span = '?inicio=2026-01-01&fim=2026-12-31'
      const { contencoes } = (await panel.ask(await tokenOf(), { url: `/api/contencoes${span}` })).json()
      const { details, items } = await seen(panel, await tokenOf())
      return { contencoes, details, items }
    }
    const tokenOf = async () => (await panel.login('operador')).token
    const before = await read()
    expect(JSON.stringify(before)).toContain('Rita Melo')
    panel.clock.advance(YEAR_MS)
    await unnameOldOperators(panel.context)
    expect(JSON.stringify(await read()), 'not yet').toContain('Rita Melo')
    panel.clock.advance(YEAR_MS + 86_400_000)
    await unnameOldOperators(panel.context)
    const after = await read()
    expect(JSON.stringify(after)).not.toContain('Rita')
    expect(after.contencoes[0].abertaPor).toMatch(/^Operador \[[0-9A-F]{8}\]$/)
    expect(bare(after).contencoes).toEqual(bare(before).contencoes)
    expect(bare(after).items).toEqual(bare(before).items)
    expect(bare(after).details[0]).toEqual(bare(before).details[0])
  })
})
