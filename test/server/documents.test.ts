import { describe, expect, test } from 'vitest'
import type { DocumentList, PlantDocument } from '../../src/contract/documents.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { listChangesFrom } from '../../src/server/store/live-changes.ts'
import { makePng } from '../support/document-files.ts'
import { databases } from '../support/harness.ts'
import { openDocumentPanel, pdfOf, uploadHeaders } from '../support/uploading.ts'

type Opened = Awaited<ReturnType<typeof openDocumentPanel>>

const seenIn = ({ revisoes }: PlantDocument) => revisoes.map(({ revisao, situacao }) => [revisao, situacao])

const listOf = async ({ ask }: Opened, token: string, query = '') =>
  (await ask(token, { url: `/api/documentos${query}` })).json<DocumentList>()
const titlesOf = async (panel: Opened, token: string, query = '') =>
  (await listOf(panel, token, query)).documentos.map(({ titulo }) => titulo)

const put = ({ ask }: Opened, token: string, url: string, payload: object) =>
  ask(token, { method: 'PUT', url, payload })
const withdraw = ({ ask }: Opened, token: string, id: number, motivo = 'Medida errada') =>
  ask(token, { method: 'POST', url: `/api/documentos/revisoes/${id}/retirada`, payload: { motivo } })
const restore = ({ ask }: Opened, token: string, id: number) =>
  ask(token, { method: 'DELETE', url: `/api/documentos/revisoes/${id}/retirada` })

describe.each(databases)('documents on %s', (database) => {
  test('the newest revision shows, older ones are obsolete, withdrawn ones are for administrators', async () => {
    const panel = await openDocumentPanel({ database })
    const { added, revise, admin, operator, ask } = panel
    const first = await added(pdfOf('A'))
    const [a] = first.revisoes
    const revised = (await revise(first.id, 'B', pdfOf('B'))).json<PlantDocument>()
    expect(seenIn(revised)).toEqual([
      ['B', 'vigente'],
      ['A', 'obsoleto'],
    ])
    expect(revised).toMatchObject({ titulo: 'Desenho', vinculos: [{ tipo: 'produto', codigo: 'CHT1', revisao: '' }] })
    const b = revised.revisoes[0]?.id ?? 0
    expect((await revise(first.id, ' b ', pdfOf('C'))).json()).toMatchObject({
      code: 'revision_exists',
      message: "A revisão 'b' já existe neste documento.",
    })
    const gone = (await withdraw(panel, admin, b)).json<PlantDocument>()
    expect(seenIn(gone)).toEqual([
      ['B', 'retirado'],
      ['A', 'vigente'],
    ])
    expect(gone.revisoes[0]?.retirada).toEqual({
      em: '2026-11-21T15:00:00.000Z',
      por: 'Ana Lima',
      motivo: 'Medida errada',
    })
    const seen = (await listOf(panel, operator)).documentos
    expect(seen.map(seenIn)).toEqual([[['A', 'vigente']]])
    expect((await ask(operator, { url: `/api/documentos/revisoes/${b}/arquivo` })).statusCode).toBe(404)
    expect((await ask(admin, { url: `/api/documentos/revisoes/${b}/arquivo` })).statusCode).toBe(200)
    expect((await withdraw(panel, admin, b)).json()).toMatchObject({ code: 'revision_withdrawn' })
    // what is in its place meanwhile keeps its name
    expect((await revise(first.id, 'B', pdfOf('B2'))).statusCode).toBe(201)
    expect((await restore(panel, admin, b)).json()).toMatchObject({ code: 'revision_exists' })
    expect((await put(panel, admin, `/api/documentos/revisoes/${b}`, { revisao: 'B1' })).statusCode).toBe(200)
    expect(seenIn((await restore(panel, admin, b)).json<PlantDocument>())).toEqual([
      ['B', 'vigente'],
      ['B1', 'obsoleto'],
      ['A', 'obsoleto'],
    ])
    expect((await restore(panel, admin, b)).json()).toMatchObject({ code: 'revision_not_withdrawn' })
    for (const { id } of (await listOf(panel, admin)).documentos[0]?.revisoes ?? []) await withdraw(panel, admin, id)
    expect(await listOf(panel, operator)).toEqual({ documentos: [], total: 0 })
    expect((await ask(operator, { url: `/api/documentos/${first.id}` })).statusCode).toBe(404)
    expect((await listOf(panel, admin)).total).toBe(1)
    expect(a?.id).toBeGreaterThan(0)
  })

  test('are found by words in any order, case and accents, and by what they are about', async () => {
    const panel = await openDocumentPanel({ database })
    const { added, operator } = panel
    await added(pdfOf('1'), { titulo: 'Instrução de crimpagem', vinculo: 'terminal', codigo: 'T1326030' })
    await added(pdfOf('2'), { titulo: 'Desenho 10', nome: 'chicote traseiro.pdf' })
    await added(pdfOf('3'), { titulo: 'Desenho 2', revisaoProduto: 'D1' })
    expect(await titlesOf(panel, operator)).toEqual(['Desenho 2', 'Desenho 10', 'Instrução de crimpagem'])
    expect(await titlesOf(panel, operator, '?texto=CRIMPAGEM%20instrucao')).toEqual(['Instrução de crimpagem'])
    expect(await titlesOf(panel, operator, '?texto=t1326')).toEqual(['Instrução de crimpagem'])
    expect(await titlesOf(panel, operator, '?texto=traseiro')).toEqual(['Desenho 10'])
    expect(await titlesOf(panel, operator, '?texto=d1')).toEqual(['Desenho 2'])
    expect(await titlesOf(panel, operator, '?texto=%25')).toEqual([])
    expect(await titlesOf(panel, operator, '?vinculo=produto&texto=desenho')).toEqual(['Desenho 2', 'Desenho 10'])
  })

  test('of the work in hand are those of its product and revision, its terminals and their mini applicators', async () => {
    const panel = await openDocumentPanel({ database })
    const { added, operator, ask, db } = panel
    const pair = { terminal: 'T1326030', miniaplicator: 'MA-0001', at: 1 }
    await db.transaction((tx) => insertApplicator(tx, pair))
    await added(pdfOf('1'), { titulo: 'De todas as revisões' })
    await added(pdfOf('2'), { titulo: 'Da C', revisaoProduto: 'C' })
    await added(pdfOf('3'), { titulo: 'Da B', revisaoProduto: 'B' })
    await added(pdfOf('4'), { titulo: 'Do terminal', vinculo: 'terminal', codigo: ' t0925590 ' })
    await added(pdfOf('5'), { titulo: 'Da ferramenta', vinculo: 'miniaplicador', codigo: 'ma-0001' })
    await added(pdfOf('6'), { titulo: 'De outro', codigo: 'T1326030' })
    const titlesFor = async (query: Record<string, string>) => {
      const answer = await ask(operator, { url: `/api/trabalho/documentos?${new URLSearchParams(query)}` })
      return answer.json<DocumentList>().documentos.map(({ titulo }) => titulo)
    }
    const work = { produto: 'CHT1', revisao: 'c', terminal1: 'T1326030', terminal2: 'T0925590' }
    expect(await titlesFor(work)).toEqual(['Da C', 'Da ferramenta', 'De todas as revisões', 'Do terminal'])
    expect(await titlesFor({ produto: 'CHT1' })).toEqual(['De todas as revisões'])
    expect(await titlesFor({ terminal1: 'T1326030' })).toEqual(['Da ferramenta'])
    expect(await titlesFor({})).toEqual([])
  })

  test('can be renamed and given other targets, by whoever saw them last; all of it is written down', async () => {
    const panel = await openDocumentPanel({ database })
    const { added, admin, ask, db } = panel
    const { id, version } = await added(pdfOf('A'))
    const vinculos = [
      { tipo: 'terminal', codigo: ' T1 ', revisao: 'X' },
      { tipo: 'terminal', codigo: 't1', revisao: '' },
      { tipo: 'produto', codigo: 'P', revisao: ' B ' },
    ]
    const change = (versionSeen: number, titulo: string) =>
      ask(admin, {
        method: 'PUT',
        url: `/api/documentos/${id}`,
        headers: { 'if-match': `"${versionSeen}"` },
        payload: { titulo, vinculos },
      })
    const changed = await change(version, ' Desenho novo ')
    expect(changed.json()).toMatchObject({
      titulo: 'Desenho novo',
      vinculos: [
        { tipo: 'terminal', codigo: 't1', revisao: '' },
        { tipo: 'produto', codigo: 'P', revisao: 'B' },
      ],
    })
    expect(changed.headers.etag).toBe(`"${changed.json<PlantDocument>().version}"`)
    expect((await change(version, 'Outro')).json()).toMatchObject({ code: 'changed_meanwhile' })
    await withdraw(panel, admin, (await listOf(panel, admin)).documentos[0]?.revisoes[0]?.id ?? 0)
    const entries = await db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    expect(
      entries.map(({ action, user_name: who, subject_kind: kind, subject_id: of, reason }) => [
        action,
        who,
        kind,
        of,
        reason,
      ]),
    ).toEqual([
      ['document_added', 'admin', 'document', String(id), null],
      ['document_changed', 'admin', 'document', String(id), null],
      ['revision_withdrawn', 'admin', 'document', String(id), 'Medida errada'],
    ])
    const noted = await listChangesFrom(db.read, 0)
    expect(noted.flatMap(({ changes }) => changes)).toEqual(Array(3).fill({ topic: 'documents', key: String(id) }))
  })
})

describe('documents', () => {
  test('operators change nothing', async () => {
    const panel = await openDocumentPanel()
    const { added, operator, ask } = panel
    const { id, revisoes } = await added(pdfOf('A'))
    const revision = revisoes[0]?.id ?? 0
    const form = { titulo: 'x', vinculos: [{ tipo: 'terminal', codigo: 'T1', revisao: '' }] }
    const tries = [
      put(panel, operator, `/api/documentos/${id}`, form),
      put(panel, operator, `/api/documentos/revisoes/${revision}`, { revisao: 'Z' }),
      withdraw(panel, operator, revision),
      restore(panel, operator, revision),
      ask(operator, {
        method: 'POST',
        url: `/api/documentos/${id}/revisoes?nome=a&revisao=Z`,
        headers: uploadHeaders,
        payload: pdfOf('Z'),
      }),
    ]
    const codes = (await Promise.all(tries)).map((answer) => answer.json<{ code: string }>().code)
    expect(codes).toEqual(Array(5).fill('not_allowed'))
    expect((await listOf(panel, operator)).documentos).toEqual([expect.objectContaining({ id, titulo: 'Desenho' })])
  })
})

describe('the file of a revision', () => {
  const bytes = makePng(200, 100, (x, y) => (x * y) % 256)

  async function openFile(name = 'Peça nº 1 (final).png') {
    const panel = await openDocumentPanel()
    const { id, revisoes } = await panel.added(bytes, { nome: name })
    const url = `/api/documentos/revisoes/${revisoes[0]?.id}/arquivo`
    const get = (headers: Record<string, string> = {}) => panel.ask(panel.operator, { url, headers })
    return { ...panel, id, file: revisoes[0]?.arquivo, url, get }
  }

  test('comes as it was sent, may do nothing, and is kept under its SHA-256', async () => {
    const { get, file } = await openFile()
    const answer = await get()
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    expect(file).toMatchObject({ tipo: 'image/png', bytes: bytes.length, larguraPx: 200, alturaPx: 100 })
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="Peca n_ 1 (final).png"; filename*=UTF-8''Pe%C3%A7a%20n%C2%BA%201%20%28final%29.png`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'Cookie',
      etag: `"${file?.sha256}"`,
    })
    const again = await get({ 'if-none-match': `"x", "${file?.sha256}"` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('may be asked for in parts', async () => {
    const { get, file } = await openFile()
    const end = bytes.length - 1
    const parts: [range: string, from: number, to: number][] = [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, end],
      ['bytes=-10', end - 9, end],
      [`bytes=5-${end + 100}`, 5, end],
      ['bytes=-999999999', 0, end],
    ]
    for (const [range, from, to] of parts) {
      const answer = await get({ range })
      expect(answer.statusCode, range).toBe(206)
      expect(answer.headers['content-range'], range).toBe(`bytes ${from}-${to}/${bytes.length}`)
      expect(answer.rawPayload.equals(bytes.subarray(from, to + 1)), range).toBe(true)
    }
    for (const range of ['bytes=9-3', 'bytes=-', 'bytes=0-1,4-5', 'pages=1-2', 'bytes=x']) {
      expect((await get({ range })).statusCode, range).toBe(200)
    }
    expect((await get({ range: 'bytes=0-9', 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await get({ range: 'bytes=0-9', 'if-range': `"${file?.sha256}"` })).statusCode).toBe(206)
    const beyond = await get({ range: `bytes=${bytes.length}-` })
    expect(beyond.json()).toMatchObject({ code: 'range_unsatisfiable' })
    expect(beyond.headers).toMatchObject({ 'content-range': `bytes */${bytes.length}`, 'cache-control': 'no-store' })
  })

  test('is for whoever is logged in', async () => {
    const { app, url } = await openFile()
    expect((await app.inject({ url })).statusCode).toBe(401)
  })
})
