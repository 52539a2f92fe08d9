import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  DOCUMENT_BYTES_MAX,
  type DocumentList,
  documentUploads,
  type PlantDocument,
} from '../../src/contract/documents.ts'
import { UPLOAD_HEADER } from '../../src/contract/endpoint.ts'
import type { RefusalCode } from '../../src/contract/errors.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { expectRefusal } from '../support/bad-input/refusal.ts'
import { makePng } from '../support/document-files.ts'
import { databases } from '../support/harness.ts'
import { startPanel } from '../support/panel.ts'
import { SOON } from '../support/slowness.ts'
import { documentAddress, openDocumentPanel, pdfOf, uploadHeaders } from '../support/uploading.ts'

type Opened = Pick<Awaited<ReturnType<typeof openDocumentPanel>>, 'folder' | 'ask' | 'admin'>

/** Files that lie in the folder, whole or not. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const totalOf = async ({ ask, admin }: Opened) =>
  (await ask(admin, { url: '/api/documentos' })).json<DocumentList>().total

async function expectNothingStored(panel: Opened) {
  expect(filesIn(panel.folder)).toEqual([])
  expect(await totalOf(panel)).toBe(0)
}

const png = makePng(20, 10, () => 0)
const withSize = (width: number, height: number) => {
  const bomb = Buffer.from(png)
  bomb.writeUInt32BE(width, 16)
  bomb.writeUInt32BE(height, 20)
  return bomb
}
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffffc00011080010002003012200021101031101ffd9', 'hex')
const webp = (chunk: string, rest: string) => {
  const body = Buffer.concat([Buffer.from(`WEBP${chunk}`, 'latin1'), Buffer.from(rest, 'hex')])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), size, body])
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const scriptedPdf = Buffer.from(
  pdfOf('A')
    .toString('latin1')
    .replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
  'latin1',
)

const refused: [what: string, bytes: Buffer, code: RefusalCode][] = [
  [
    'a Windows executable named .pdf',
    Buffer.concat([Buffer.from('MZ\x90\0\x03'), randomBytes(5000)]),
    'document_kind_unknown',
  ],
  [
    'a Linux executable named .pdf',
    Buffer.concat([Buffer.from('\x7fELF\x02'), randomBytes(5000)]),
    'document_kind_unknown',
  ],
  ['an SVG with script', Buffer.from(svg), 'document_kind_unknown'],
  ['an SVG with a PDF behind it', Buffer.concat([Buffer.from(svg), pdfOf('A')]), 'document_kind_unknown'],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'document_kind_unknown'],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'document_kind_unknown'],
  ['half a PDF', pdfOf('A'.repeat(3000)).subarray(0, 2000), 'document_damaged'],
  ['half a PNG', png.subarray(0, -20), 'document_damaged'],
  ['the signature of a PNG alone', png.subarray(0, 8), 'document_kind_unknown'],
  ['half a JPEG', JPEG.subarray(0, -2), 'document_damaged'],
  ['a JPEG without a picture', Buffer.from('ffd8ffda0008010100003f00ffd9', 'hex'), 'document_damaged'],
  ['half a WebP', webp('VP8L', '0a0000002f0f80010000000000').subarray(0, 24), 'document_damaged'],
  ['an image without area', withSize(0, 10), 'document_damaged'],
  ['an image bomb', withSize(16_000, 16_000), 'image_too_large'],
  ['an image bomb of one line', withSize(4_000_000_000, 1), 'image_too_large'],
  ['nothing', Buffer.alloc(0), 'upload_empty'],
  ['26 MB', Buffer.alloc(26 * 1024 * 1024, 1), 'upload_too_large'],
]

describe('an upload is refused in words and leaves nothing behind:', () => {
  test('what is no document', async () => {
    const panel = await openDocumentPanel()
    for (const [what, bytes, code] of refused) {
      const answer = await panel.upload(bytes)
      expect(expectRefusal(answer, what, documentUploads.add).code, what).toBe(code)
    }
    await expectNothingStored(panel)
  })

  test('what does not say that it is an upload, or is sent as something else', async () => {
    const panel = await openDocumentPanel()
    const { [UPLOAD_HEADER]: _, ...withoutHeader } = uploadHeaders
    const sent: [headers: Record<string, string>, code: RefusalCode][] = [
      [withoutHeader, 'upload_header_missing'],
      [{ [UPLOAD_HEADER]: '1', 'content-type': 'application/json' }, 'upload_unexpected'],
      [{ [UPLOAD_HEADER]: '1', 'content-type': 'text/plain' }, 'upload_unexpected'],
      [{ [UPLOAD_HEADER]: '1', 'content-type': 'multipart/form-data; boundary=x' }, 'upload_unexpected'],
      [{ [UPLOAD_HEADER]: '1', 'content-type': ';;;' }, 'unsupported_media_type'],
    ]
    for (const [headers, code] of sent) {
      const answer = await panel.send(documentAddress(), pdfOf('A'), headers)
      expect(expectRefusal(answer, JSON.stringify(headers), documentUploads.add).code).toBe(code)
    }
    await expectNothingStored(panel)
  })

  test('a name that is a path or hides its ending', async () => {
    const panel = await openDocumentPanel()
    for (const nome of [
      '../../etc/passwd',
      '..\\..\\a.pdf',
      '/etc/passwd',
      'C:\\a.pdf',
      '..',
      '.',
      ' ',
      'a\u0000.pdf',
      'fdp.\u202eexe',
      'a\n.pdf',
      'x'.repeat(201),
    ]) {
      const answer = await panel.upload(pdfOf('A'), { nome })
      const { code, details } = expectRefusal(answer, nome, documentUploads.add)
      expect([code, details?.[0]?.field], nome).toEqual(['input_invalid', 'nome'])
    }
    await expectNothingStored(panel)
  })
})

test('any other name is kept and is only shown: the file lies under its SHA-256', async () => {
  const { added, folder, ask, operator } = await openDocumentPanel()
  const names = ['.htaccess', 'CON.pdf', '"><script>.pdf', "a'b%2F..%2F.pdf", 'peça;filename=x.exe', '😀.pdf']
  for (const [at, nome] of names.entries()) {
    const { revisoes } = await added(pdfOf(`${at}`), { nome, revisao: `${at}` })
    expect(revisoes[0]?.arquivo.nome).toBe(nome)
    const answer = await ask(operator, { url: `/api/documentos/revisoes/${revisoes[0]?.id}/arquivo` })
    expect(answer.headers['content-disposition'], nome).toMatch(
      /^inline; filename="[\w. ()-]+"; filename\*=UTF-8''[\w.%~!-]+$/,
    )
  }
  expect(filesIn(folder)).toHaveLength(names.length)
  expect(filesIn(folder).filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([])
})

test('the kinds that are taken are told by their content, and so is their size', async () => {
  const { added } = await openDocumentPanel()
  const sent: [bytes: Buffer, mediaType: string, width: number | null, height: number | null][] = [
    [pdfOf('A'), 'application/pdf', null, null],
    // shown by pdf.js without its script, and by nothing else
    [scriptedPdf, 'application/pdf', null, null],
    [png, 'image/png', 20, 10],
    [JPEG, 'image/jpeg', 32, 16],
    [webp('VP8L', '0a0000002f0f80010000000000'), 'image/webp', 16, 7],
    [webp('VP8X', '0a000000000000000f00000700000000'), 'image/webp', 16, 8],
    [webp('VP8 ', '0a0000003001009d012a1000080000'), 'image/webp', 16, 8],
  ]
  for (const [at, [bytes, mediaType, width, height]] of sent.entries()) {
    const { revisoes } = await added(bytes, { nome: 'sem.exe', revisao: `${at}` })
    const { tipo, larguraPx, alturaPx } = revisoes[0]?.arquivo ?? {}
    expect([tipo, larguraPx, alturaPx], mediaType).toEqual([mediaType, width, height])
  }
})

test('as much as is allowed is taken', async () => {
  const { added } = await openDocumentPanel()
  const file = pdfOf('A')
  const bytes = Buffer.concat([file, Buffer.alloc(DOCUMENT_BYTES_MAX - file.length, 32)])
  expect((await added(bytes)).revisoes[0]?.arquivo.bytes).toBe(DOCUMENT_BYTES_MAX)
})

describe.each(databases)('the same bytes on %s', (database) => {
  test('sent by several at once are kept once', async () => {
    const panel = await openDocumentPanel({ database })
    const answers = await Promise.all(['1', '2', '3', '4'].map((titulo) => panel.upload(pdfOf('A'), { titulo })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409, 409])
    const winner = answers.find(({ statusCode }) => statusCode === 201)?.json<PlantDocument>()
    for (const answer of answers) {
      if (answer.statusCode === 409) expect(answer.json().message).toContain(`'${winner?.titulo}'`)
    }
    expect([filesIn(panel.folder).length, await totalOf(panel)]).toEqual([1, 1])
  })
})

describe('the same bytes', () => {
  test('are kept once, and the refusal says where', async () => {
    const panel = await openDocumentPanel()
    const { revisoes } = await panel.added(pdfOf('A'), { titulo: 'Desenho do chicote' })
    const again = await panel.upload(pdfOf('A'), { titulo: 'Outro', nome: 'outro.pdf' })
    const words = "Este arquivo já está em 'Desenho do chicote', revisão A"
    expect(expectRefusal(again, 'again', documentUploads.add)).toMatchObject({
      code: 'document_exists',
      message: `${words}.`,
    })
    await panel.ask(panel.admin, {
      method: 'POST',
      url: `/api/documentos/revisoes/${revisoes[0]?.id}/retirada`,
      payload: { motivo: 'x' },
    })
    expect((await panel.upload(pdfOf('A'))).json()).toMatchObject({ message: `${words} (retirada).` })
    expect([filesIn(panel.folder).length, await totalOf(panel)]).toEqual([1, 1])
  })
})

describe('over the network', () => {
  test('an upload that breaks off leaves nothing, and the next one is taken', async () => {
    const panel = await openDocumentPanel()
    await panel.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = panel.app.server.address() as AddressInfo
    for (const framing of ['content-length: 100000', 'transfer-encoding: chunked']) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(
        [
          `POST ${documentAddress()} HTTP/1.1`,
          `host: 127.0.0.1:${port}`,
          `authorization: Bearer ${panel.admin}`,
          'content-type: application/octet-stream',
          `${UPLOAD_HEADER}: 1`,
          framing,
          '',
          framing.startsWith('transfer') ? 'ff0\r\n%PDF-1.4' : '%PDF-1.4',
        ].join('\r\n'),
      )
      await vi.waitFor(() => expect(filesIn(panel.folder)).toHaveLength(1), SOON)
      socket.destroy()
      await vi.waitFor(() => expect(filesIn(panel.folder)).toEqual([]), SOON)
    }
    expect(await totalOf(panel)).toBe(0)
    expect((await panel.upload(pdfOf('A'))).statusCode).toBe(201)
  })

  test('a full disk and a folder that is gone are said, and the panel goes on', async () => {
    const folder = join(process.env.TMPDIR ?? '/tmp', `documentos-${randomBytes(8).toString('hex')}`)
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const panel = await startPanel({ env: { DOCUMENTS_DIR: folder } })
    onTestFinished(panel.stop)
    const login = await fetch(`${panel.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'admin' }),
    })
    const { token } = (await login.json()) as Session
    const send = async (bytes: Buffer) => {
      const headers = { ...uploadHeaders, authorization: `Bearer ${token}` }
      const answer = await fetch(panel.url + documentAddress(), { method: 'POST', headers, body: bytes })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const before = filesIn(folder)
    const big = Buffer.concat([pdfOf('A'), Buffer.alloc(20 * 1024 * 1024), pdfOf('A')])
    execFileSync('prlimit', [`--pid=${panel.pid()}`, '--fsize=16777216:unlimited'])
    expect(await send(big)).toEqual([507, 'disk_full'])
    expect(filesIn(folder)).toEqual(before)
    execFileSync('prlimit', [`--pid=${panel.pid()}`, '--fsize=unlimited'])
    expect(await send(big)).toEqual([201, undefined])
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'no folder any more')
    expect(await send(pdfOf('B'))).toEqual([503, 'document_folder_unavailable'])
    const file = await fetch(`${panel.url}/api/documentos/revisoes/1/arquivo`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([file.status, file.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expect((await fetch(`${panel.url}/ready`)).status).toBe(200)
  })
})
