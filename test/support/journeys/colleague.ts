import { randomUUID } from 'node:crypto'
import type { Panel } from '../panel.ts'

/** Somebody else at work on the same panel, without a browser. */
export type Colleague = <Row>(method: string, path: string, body?: object) => Promise<Row>

export async function colleagueAt(panel: Panel, username = 'admin'): Promise<Colleague> {
  let authorization: string | undefined
  const ask: Colleague = async <Row>(method: string, path: string, body?: object) => {
    const key = { 'idempotency-key': randomUUID() }
    const headers = { 'content-type': 'application/json', ...key, ...(authorization ? { authorization } : {}) }
    const answer = await fetch(panel.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Row
  }
  const { token } = await ask<{ token: string }>('POST', '/api/auth/login', { username, password: username })
  authorization = `Bearer ${token}`
  return ask
}
