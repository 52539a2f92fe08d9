import type { PlantDocument } from '../../src/contract/documents.ts'
import { UPLOAD_HEADER } from '../../src/contract/endpoint.ts'
import { makePdf } from './document-files.ts'
import { addUser, type Database, openTestPanel, temporaryFolder } from './harness.ts'

/** PDFs that differ by their text. */
export const pdfOf = (text: string) => makePdf([{ lines: [text], drawing: '' }])

export const uploadHeaders = { 'content-type': 'application/octet-stream', [UPLOAD_HEADER]: '1' }

type Fields = Record<string, string>
const fields = { nome: 'desenho.pdf', titulo: 'Desenho', revisao: 'A', vinculo: 'produto', codigo: 'CHT1' }

const addressOf = (path: string, query: Fields) => `${path}?${new URLSearchParams(query)}`
export const documentAddress = (change: Fields = {}) => addressOf('/api/documentos', { ...fields, ...change })

/** A panel with a folder of documents of its own, an administrator and an operator. */
export async function openDocumentPanel({ database = 'sqlite', env = {} }: { database?: Database; env?: Fields } = {}) {
  const folder = temporaryFolder()
  const panel = await openTestPanel({ database, env: { DOCUMENTS_DIR: folder, ...env } })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Lima' })
  await addUser(panel.context, { username: 'operador' })
  const admin = (await panel.login('admin')).token
  const operator = (await panel.login('operador')).token
  const send = (url: string, payload: Buffer, headers: Fields = uploadHeaders) =>
    panel.ask(admin, { method: 'POST', url, headers, payload })
  const upload = (payload: Buffer, change: Fields = {}) => send(documentAddress(change), payload)
  const added = async (payload: Buffer, change: Fields = {}) => {
    const answer = await upload(payload, change)
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json<PlantDocument>()
  }
  const revise = (id: number, revisao: string, payload: Buffer) =>
    send(addressOf(`/api/documentos/${id}/revisoes`, { nome: 'desenho.pdf', revisao }), payload)
  return { ...panel, folder, admin, operator, send, upload, added, revise }
}
