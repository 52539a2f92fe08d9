import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ScrapReason } from '../../src/contract/scrap-reasons.ts'
import { ScrapLine, type ScrapReport, scrapGroupings } from '../../src/contract/scrap-reports.ts'
import type { Scrap, ScrapAnswer, ScrapForm } from '../../src/contract/scraps.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { listPersonColumns } from '../../src/server/store/persons.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { addUser, crimpOf, databases, ORDER, openTestPanel, scrapOf, UNTOUCHED } from '../support/harness.ts'
import { findUnit } from '../support/units.ts'
import { browserOf, grantOf, pairOf, sessionOf } from '../support/visitor.ts'

const HOUR_MS = 3_600_000
const PERIOD = { inicio: '2026-11-01', fim: '2026-11-30' }

const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'outro', fullName: 'João Dias' })
  await addUser(panel.context, { username: 'lider', role: 'lider', fullName: 'Ana Lima' })
  await addUser(panel.context, { username: 'consulta', role: 'consulta' })
  const tokens = { operador: '', outro: '', lider: '', consulta: '' }
  type Who = keyof typeof tokens
  const people = Object.keys(tokens) as Who[]
  const enter = async () => {
    for (const who of people) tokens[who] = (await panel.login(who)).token
  }
  await enter()
  await panel.ask(tokens.operador, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  const save = async (more: Partial<ScrapForm> = {}, id: string = randomUUID(), who: Who = 'operador') => {
    const headers = { 'idempotency-key': id }
    const request = { method: 'POST', url: '/api/refugos', headers, payload: scrapOf(more) } as const
    const answer = await panel.ask(tokens[who], request)
    return { http: answer.statusCode, id, ...answer.json<ScrapAnswer & { code?: string; details?: object[] }>() }
  }
  const undo = async (id: string, who: Who = 'operador', payload: object = {}) => {
    const answer = await panel.ask(tokens[who], { method: 'POST', url: `/api/refugos/${id}/estorno`, payload })
    return { http: answer.statusCode, ...answer.json<Scrap & { code?: string; details?: object[] }>() }
  }
  const list = async (query: Record<string, string> = { codigoBarras: UNTOUCHED }): Promise<Scrap[]> =>
    (await panel.ask(tokens.operador, { url: '/api/refugos', query: { filial: '010101', ...query } })).json()
  const crimps = async (name = 'MA-0001') => (await findUnit(panel.db.read, name))?.crimps ?? 0
  const daily = async () => {
    const rows = await panel.db.read.selectFrom('daily_scrap').selectAll().execute()
    return rows.reduce((sum, { pieces }) => sum + pieces, 0)
  }
  return { ...panel, tokens, enter, save, undo, list, crimps, daily }
}

const saved = { captura: { salvoNoDispositivo: true } }

describe.each(databases)('scrap on %s', (database) => {
  test('is stored once, wears its tool and leaves the order as it is', async () => {
    const { save, list, crimps, daily, ask, tokens } = await setUp({ database })
    const left = async () =>
      (await ask(tokens.operador, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })).json()
    const before = await left()
    const first = await save()
    expect(first).toMatchObject({ http: 201, status: 'enviado', message: 'Refugo salvo: 12 · Altura fora.' })
    expect(first.refugo).toMatchObject({
      ...{ id: first.id, terminal: 'T1326030', miniaplicador: 'MA-0001', pecas: 12, operador: 'Maria Souza' },
      ...{ proprio: true, autorConfirmado: true, desfeito: null },
    })
    expect(await save({}, first.id), 'its answer was lost').toMatchObject({ http: 201, refugo: first.refugo })
    expect(await save({ pecas: 13 }, first.id)).toMatchObject({ http: 409, code: 'idempotency_key_reused' })
    expect(await list()).toEqual([first.refugo])
    expect([await crimps(), await daily()]).toEqual([12, 12])
    expect(await left()).toEqual(before)
  })

  test('of many tablets at one instant with one id is stored once', async () => {
    const { save, crimps, daily } = await setUp({ database })
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => save({}, id)))
    expect(answers.map(({ http }) => http)).toEqual([201, 201, 201, 201, 201])
    expect([await crimps(), await daily()]).toEqual([12, 12])
  })

  test('of a junction is found by its order and position, and wears nothing', async () => {
    const { save, list } = await setUp({ database })
    const { codigoBarras: _barcode, miniaplicador: _unit, ...rest } = scrapOf({ parte: 'juncao', motivo: 'fio-solto' })
    const answer = await save({ ...rest, codigoBarras: undefined, miniaplicador: undefined, posicao: 'J01' })
    expect(answer).toMatchObject({ http: 201, refugo: { posicao: 'J01', codigoBarras: '' } })
    expect(await list({ ordem: ORDER, posicao: 'J01' })).toEqual([answer.refugo])
  })

  test('is refused at once where no page of today can send it, and out of a queue never', async () => {
    const { save } = await setUp({ database })
    const problem = async (more: Partial<ScrapForm>) => {
      const { http, details } = await save(more)
      return [http, details?.[0]]
    }
    const unknown = { field: 'motivo', message: 'Motivo desconhecido. Atualize a página.' }
    expect(await problem({ motivo: 'nunca-visto' })).toEqual([400, unknown])
    expect(await problem({ motivo: 'contencao' })).toEqual([400, unknown])
    expect(await problem({ motivo: 'fio-solto' })).toEqual([
      400,
      { field: 'motivo', message: 'Este motivo é de outra etapa.' },
    ])
    expect(await problem({ motivo: 'outro' })).toEqual([400, { field: 'texto', message: 'Escreva qual é o motivo.' }])
    for (const pecas of [0, -1, 1.5, 2_000_000]) expect((await save({ pecas, ...saved })).http).toBe(400)
    expect((await save({ ...saved, filial: '999999' })).code).toBe('unknown_plant')
    expect((await save({}, randomUUID(), 'consulta')).http).toBe(403)
    expect((await save({ ...saved, motivo: 'nunca-visto', texto: 'torto' })).refugo).toMatchObject({
      ...{ motivo: 'outro', nota: 'nunca-visto: torto' },
    })
    expect((await save({ ...saved, motivo: 'fio-solto' })).refugo.motivo).toBe('fio-solto')
    expect(await save({ ...saved, motivo: 'outro' })).toMatchObject({ http: 201, message: 'Refugo salvo: 12 · Outro.' })
    expect((await save({ ...saved, codigoBarras: 'X'.repeat(22) })).refugo.terminal).toBe('')
  })

  test('is undone by its author in the shift, then by a leader with a reason, and twice is once', async () => {
    const { save, undo, enter, crimps, daily, clock, db } = await setUp({ database })
    const own = await save()
    expect((await undo(own.id, 'outro')).http).toBe(403)
    expect((await undo(own.id)).desfeito).toMatchObject({ por: 'Maria Souza', motivo: '' })
    expect((await undo(own.id)).http, 'tapped twice').toBe(200)
    expect((await undo(own.id, 'outro')).http, 'who may not hears nothing of it').toBe(403)
    expect([await crimps(), await daily()]).toEqual([0, 0])
    const late = await save({ retrabalho: true, motivo: 'terminal-torto' })
    expect(late.message).toBe('Retrabalho salvo: 12 · Terminal torto.')
    clock.advance(12 * HOUR_MS)
    await enter()
    const atOnce = new Date(clock.now() - 11.9 * HOUR_MS).toISOString()
    expect((await undo(late.id)).code).toBe('not_allowed')
    expect((await undo(late.id, 'lider')).details).toEqual([{ field: 'motivo', message: 'Escreva o motivo.' }])
    expect((await undo(late.id, 'lider', { motivo: 'Contou errado' })).desfeito).toMatchObject({
      ...{ por: 'Ana Lima', motivo: 'Contou errado' },
    })
    const waited = await save({
      captura: { ...saved.captura, registradoEm: new Date(clock.now() - 12 * HOUR_MS).toISOString() },
    })
    expect((await undo(waited.id, 'operador', { desfeitoEm: atOnce })).http, 'taken back then, without network').toBe(
      200,
    )
    expect((await undo(randomUUID())).code).toBe('not_found')
    const trail = await db.read.selectFrom('audit_entries').select(['action', 'user_name']).execute()
    expect(trail.filter(({ action }) => action === 'scrap_undone')).toHaveLength(3)
    const user = (await listUsers(db.read)).find(({ username }) => username === 'operador')
    if (!user) throw new Error('there is no operador')
    let file = ''
    for await (const page of personCsv(db, user, (instant) => instant)) file += page
    expect(file).toContain('Refugo desfeito')
    expect(file).toContain('Retrabalho')
  })

  test('of before a reset leaves the count that the tool was reset at, and what was crimped since stays', async () => {
    const { save, undo, enter, ask, tokens, crimps, daily, clock, db } = await setUp({ database })
    const lifetime = async () => (await findUnit(db.read, 'MA-0001'))?.lifetimeCrimps
    const [own, ofLeader] = [await save(), await save({ pecas: 7 })]
    const reset = { miniaplicator: 'MA-0001', newLimitOfCrimps: 5000 }
    const url = '/api/crimpagens/MA-0001/reset'
    expect((await ask(tokens.lider, { method: 'POST', url, payload: reset })).statusCode).toBe(200)
    await save({ pecas: 5 })
    expect([await crimps(), await lifetime(), await daily()]).toEqual([5, 24, 24])
    expect((await undo(own.id)).http).toBe(200)
    clock.advance(12 * HOUR_MS)
    await enter()
    for (const _ of ['once', 'twice']) expect((await undo(ofLeader.id, 'lider', { motivo: 'Erro' })).http).toBe(200)
    expect([await crimps(), await lifetime(), await daily()]).toEqual([5, 5, 5])
    expect(await listCounterDeviations(db.read)).toEqual([])
  })

  test('under a session that is not to be trusted counts once its author brings it again, unless it was undone', async () => {
    const panel = await setUp({ database })
    const { app, db, undo, crimps, daily } = panel
    const tablet = pairOf(await browserOf(panel).login('operador'))
    await db.transaction((tx) => tx.updateTable('sessions').set({ revoked_at: 1, ended_why: 'admin' }).execute())
    const ids = [randomUUID(), randomUUID()] as const
    const give = async (headers: Record<string, string>, id: string) =>
      await app.inject({
        ...{ method: 'POST', url: '/api/refugos', payload: scrapOf(saved) },
        headers: { ...headers, 'idempotency-key': id },
      })
    for (const id of ids) expect((await give(grantOf(tablet), id)).json()).toMatchObject({ retido: true })
    expect([await crimps(), await daily()]).toEqual([0, 0])
    panel.tokens.lider = (await panel.login('lider')).token
    expect((await undo(ids[1], 'lider', { motivo: 'Não foi ela' })).http).toBe(200)
    const again = pairOf(await browserOf(panel).login('operador'))
    const session = sessionOf(again)
    for (const id of ids) expect((await give(session, id)).statusCode).toBe(201)
    expect([await crimps(), await daily()]).toEqual([12, 12])
  })

  test('stands in the trace of its item, on the sheet and in the file, without what was repaired', async () => {
    const { save, record, tokens, ask } = await setUp({ database })
    await record(tokens.operador, crimpOf(5))
    await save({ motivo: 'peca-de-ajuste', pecas: 5 })
    await save()
    await save({ retrabalho: true, pecas: 3 })
    const query = { termo: UNTOUCHED, tipo: 'barras' }
    const found = (await ask(tokens.operador, { url: '/api/rastreabilidade', query })).json<Trace>()
    const motivos = [
      { texto: 'Altura fora', pecas: 12 },
      { texto: 'Peça de ajuste', pecas: 5 },
    ]
    expect(found.linhas.map(({ refugo }) => refugo)).toEqual([{ pecas: 17, motivos }])
    const csv = (await ask(tokens.operador, { url: '/api/rastreabilidade/csv', query })).body
    expect(csv.trimEnd().split(';').at(-2)).toBe('"17: Altura fora 12, Peça de ajuste 5"')
    const sheet = (await ask(tokens.operador, { url: '/api/rastreabilidade/folha', query })).body
    expect(sheet).toContain('Refugo da etapa: 17 (Altura fora 12, Peça de ajuste 5)')
  })

  test('is reported by reason, without set-ups unless somebody asks, and by machine', async () => {
    const { save, record, tokens, ask, crimps } = await setUp({ database })
    await record(tokens.operador, crimpOf(100))
    await save({ pecas: 12 })
    await save({ motivo: 'peca-de-ajuste', pecas: 5 })
    await save({ motivo: 'terminal-torto', retrabalho: true, pecas: 3 })
    expect(await crimps(), 'set-up 5, good 100, scrap 12').toBe(117)
    const report = async (more: Record<string, string>) =>
      (await ask(tokens.operador, { url: '/api/relatorios/refugo', query: { ...PERIOD, ...more } })).json<ScrapReport>()
    expect(await report({ por: 'motivo' })).toEqual({
      linhas: [
        { nome: 'Altura fora', pecas: 12, permil: 1000, acumulado: 1000, ppm: 107_143, retrabalho: 0 },
        { nome: 'Terminal torto', pecas: 0, permil: 0, acumulado: 1000, ppm: 0, retrabalho: 3 },
      ],
      totais: { pecas: 12, ppm: 107_143, retrabalho: 3 },
      linhasTotal: 2,
    })
    expect((await report({ por: 'motivo', processo: 'sim' })).totais).toEqual({
      pecas: 17,
      ppm: 145_299,
      retrabalho: 3,
    })
    expect((await report({ por: 'maquina' })).linhas.map(({ nome, ppm }) => [nome, ppm])).toEqual([
      ['KX0001 - Komax', 107_143],
    ])
    expect((await report({ por: 'motivo', etapa: 'corte' })).totais).toEqual({ pecas: 0, ppm: null, retrabalho: 0 })
    expect((await report({ por: 'motivo', inicio: '2026-11-22' })).linhas).toEqual([])
  })

  test('is reported and summed without any person, however it is broken down', async () => {
    const { save, tokens, ask, db } = await setUp({ database })
    await save()
    expect(Object.keys(ScrapLine.shape).toSorted()).toEqual([
      ...['acumulado', 'nome', 'pecas', 'permil', 'ppm', 'retrabalho'],
    ])
    expect(scrapGroupings).toEqual(['motivo', 'maquina', 'miniaplicador', 'terminal', 'ordem', 'dia'])
    for (const por of scrapGroupings)
      for (const url of ['/api/relatorios/refugo', '/api/relatorios/refugo/csv']) {
        const { statusCode, body } = await ask(tokens.operador, { url, query: { ...PERIOD, por, processo: 'sim' } })
        expect([statusCode, body], `${url} ${por}`).toEqual([200, expect.stringMatching(/\b12\b/)])
        expect(body, `${url} ${por}`).not.toMatch(/maria|souza|operador/i)
      }
    const [row] = await db.read.selectFrom('daily_scrap').selectAll().execute()
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      ...['branch', 'id', 'is_rework', 'machine', 'order_number', 'origin', 'part', 'pieces', 'production_day'],
      ...['reason_code', 'terminal', 'unit_key', 'wears'],
    ])
    expect(listPersonColumns().filter((column) => column.startsWith('daily_scrap.'))).toEqual([])
  })

  test('has reasons that are added, worded anew and taken out of use, and two that are fixed', async () => {
    const { ask, context, login, save } = await setUp({ database })
    await addUser(context, { username: 'rita', role: 'qualidade', fullName: 'Rita Melo' })
    const { token } = await login('rita')
    const list = async () => (await ask(token, { url: '/api/motivos-de-refugo' })).json<ScrapReason[]>()
    const post = (texto: string) =>
      ask(token, {
        method: 'POST',
        url: '/api/motivos-de-refugo',
        payload: { texto, etapa: 'crimpagem', tipo: 'defeito' },
      })
    expect((await list()).map(({ codigo }) => codigo)).toHaveLength(20)
    const added = (await post('Rebarba')).json<ScrapReason>()
    expect(added).toMatchObject({ codigo: 'rebarba', posicao: 21, ativo: true, uso: {} })
    expect((await post(' rebarba')).json()).toMatchObject({ code: 'reason_exists' })
    await save({ motivo: 'rebarba' })
    expect((await list()).at(-1)?.uso).toEqual({ '010101': 12 })
    const put = (id: number, payload: object) =>
      ask(token, { method: 'PUT', url: `/api/motivos-de-refugo/${id}`, payload })
    expect((await put(added.id, { texto: 'Rebarba alta', posicao: 1, ativo: false })).json()).toMatchObject({
      ...{ codigo: 'rebarba', texto: 'Rebarba alta', ativo: false },
    })
    expect((await save({ motivo: 'rebarba' })).http).toBe(400)
    const fixed = (await list()).find(({ codigo }) => codigo === 'outro')
    expect((await put(fixed?.id ?? 0, { texto: 'Outro', posicao: 1, ativo: false })).json()).toMatchObject({
      code: 'reason_fixed',
    })
    const sheet = (await ask(token, { url: '/api/motivos-de-refugo/folha' })).body
    expect([...sheet.matchAll(/<section>/g)]).toHaveLength(3)
    expect(sheet).toContain('REF-altura-fora')
    expect(sheet, 'out of use, or of containments').not.toMatch(/REF-(rebarba|contencao)/)
  })
})
