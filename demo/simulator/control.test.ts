import { expect, test } from 'vitest'
import { cut, hear, startTestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'
import type { ErpSimulatorOptions } from './simulator.ts'

const SECRET = 'segredo'
const refusal = (errorMessage: string, errorCode = 400) => ({ errorCode, errorMessage })

async function startControlled(options: ErpSimulatorOptions = {}) {
  const client = await startTestClient({ controlSecret: SECRET, ...options })
  const tell = async (method: string, path: string, body?: unknown, secret = SECRET) => {
    const url = new URL(`/__sim/${path}`, client.simulator.controlUrl ?? '')
    const headers = { authorization: `Bearer ${secret}` }
    return hear(await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }))
  }
  return { ...client, tell }
}

test('there is none unless asked for, and never where the ERP listens', async () => {
  await using closed = await startTestClient()
  await using open = await startControlled()
  expect(closed.simulator.controlUrl).toBe(null)
  for (const { simulator } of [closed, open]) {
    const headers = { authorization: `Bearer ${SECRET}` }
    expect((await fetch(new URL('/__sim/log', simulator.url), { headers })).status).toBe(404)
  }
  expect(new URL(open.simulator.controlUrl ?? '').hostname).toBe('127.0.0.1')
  expect((await open.tell('GET', 'log')).status).toBe(200)
})

test('only who knows the secret is heard', async () => {
  await using client = await startControlled()
  for (const secret of ['', 'falso', `${SECRET}o`]) {
    expect((await client.tell('PUT', 'faults', { faults: [{ id: 'F04' }] }, secret)).status).toBe(401)
  }
  expect(client.simulator.state.activeFaults).toEqual([])
})

test('it sets faults and clock, shows the log, and starts afresh', async () => {
  await using client = await startControlled({ now: () => 1_000 })
  const { tell } = client
  const faults = [{ id: 'F09', operation: 'apontamentos', count: 1 }]
  expect((await tell('PUT', 'faults', { faults })).status).toBe(200)
  expect((await tell('GET', 'faults')).body()).toEqual({ faults })
  expect((await tell('PUT', 'faults', { faults: [{ id: 'F99' }] })).body()).toEqual(refusal('No fault F99'))
  expect((await tell('PUT', 'outros')).status).toBe(404)
  expect((await client.record(cut(UNTOUCHED, 1, 'a'))).body()).toEqual(refusal('Lote bloqueado'))
  await tell('POST', 'clock', { advanceMs: 500 })
  await client.record(cut(UNTOUCHED, 1, 'b'))
  expect((await tell('GET', 'log')).body()).toMatchObject({
    log: [
      { operation: 'apontamentos', integrationId: 'a', barcode: UNTOUCHED, faults: ['F09'], outcome: 200 },
      { integrationId: 'b', at: 1_500, faults: [], outcome: 201 },
    ],
    writes: [{ id: 'b', barcode: UNTOUCHED, section: 'cable', pieces: 1 }],
  })
  await tell('POST', 'reset')
  expect((await tell('GET', 'log')).body()).toMatchObject({ log: [], writes: [] })
  expect(client.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(0)
})

test('it is there while the ERP is away, and calms what a profile does by itself', async () => {
  await using client = await startControlled({ profile: 'hostile' })
  const { tell } = client
  expect((await tell('PUT', 'faults', { faults: [{ id: 'F31', variant: 'refused' }] })).status).toBe(200)
  await expect(client.search(UNTOUCHED)).rejects.toThrow('fetch failed')
  expect((await tell('DELETE', 'faults')).status).toBe(200)
  for (let n = 0; n < 30; n++) expect((await client.search(UNTOUCHED)).status).toBe(200)
  expect(client.simulator.state.log.filter(({ faults }) => faults.length > 0)).toEqual([])
})
