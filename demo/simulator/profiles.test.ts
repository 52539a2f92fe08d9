import { expect, test } from 'vitest'
import { CLASS, cut, startTestClient, type TestClient, UNTOUCHED } from '../../test/support/simulator-client.ts'
import { faultIds } from './faults.ts'
import { makeProfile } from './profiles.ts'

const strikes = ({ simulator }: TestClient) => simulator.state.log.map(({ faults }) => faults.join('+'))

async function readManyTimes(client: TestClient): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await client.search('01621401001').catch(() => 'reset')
    await client.search('99999999999').catch(() => 'reset')
    await client.record(cut(UNTOUCHED, 999, `id-${n}`)).catch(() => 'reset')
  }
}

test('dirty uses every shape of the field, in mixtures that the seed decides', async () => {
  await using client = await startTestClient({ profile: 'dirty' })
  await using twin = await startTestClient({ profile: 'dirty' })
  await using other = await startTestClient({ profile: 'dirty', seed: 7 })
  for (const one of [client, twin, other]) await readManyTimes(one)
  const used = new Set(client.simulator.state.log.flatMap(({ faults }) => faults))
  expect([...used].sort()).toEqual(
    ['F09', 'F10', 'F13', 'F14', 'F15', 'F16', 'F17', 'F18', 'F19', 'F20', 'F25', 'F26', 'F27'].sort(),
  )
  expect(strikes(twin)).toEqual(strikes(client))
  expect(strikes(other)).not.toEqual(strikes(client))
})

test('dirty refuses and finds nothing as ever, in another dress only', async () => {
  await using client = await startTestClient({ profile: 'dirty' })
  const statuses = new Set<number>()
  for (let n = 0; n < 30; n++) {
    expect((await client.record(cut(UNTOUCHED, 1, `id-${n}`))).bytes.toString()).toContain('sucesso')
    const refused = await client.record(cut(UNTOUCHED, 999, `too-many-${n}`))
    expect(refused.bytes.toString()).toContain('Quantidade excede o saldo da ordem')
    statuses.add(refused.status)
  }
  expect([...statuses].sort()).toEqual([200, 400])
  expect(client.simulator.state.row(UNTOUCHED)?.Z1_QTREGCO).toBe(30)
})

test('hostile can strike with every fault there is', () => {
  const [draw] = makeProfile('hostile', { speed: 0, acceptTimeoutMs: 10_000 }).draws
  const drawn = new Set(draw?.flatMap(([fault]) => fault?.id ?? []))
  expect([...drawn].sort()).toEqual([...faultIds].sort())
})

test('hostile strikes about every third call, as the seed decides, until it is calmed, and again after a reset', async () => {
  await using client = await startTestClient({ profile: 'hostile', acceptTimeoutMs: 0 })
  await using twin = await startTestClient({ profile: 'hostile', acceptTimeoutMs: 0 })
  const ask = async ({ call }: TestClient) => {
    for (let n = 0; n < 200; n++) await call('GET', `${CLASS}/maquinas`).catch(() => 'reset')
  }
  for (const one of [client, twin]) await ask(one)
  const { state } = client.simulator
  expect(strikes(twin)).toEqual(strikes(client))
  const struck = strikes(client).filter(Boolean).length
  expect(struck).toBeGreaterThan(25)
  expect(struck).toBeLessThan(90)
  await state.calm()
  await ask(client)
  expect(strikes(client).filter(Boolean)).toHaveLength(struck)
  state.reset()
  await ask(client)
  expect(strikes(client).filter(Boolean).length).toBeGreaterThan(25)
})

test('what is set by hand comes on top of what a profile does by itself', async () => {
  await using client = await startTestClient({ profile: 'dirty' })
  await client.simulator.state.setFaults([{ id: 'F04', count: 2 }])
  expect(client.simulator.state.activeFaults).toEqual([{ id: 'F04', count: 2 }])
  expect((await client.search('01621401001')).status).toBe(503)
  expect(client.simulator.state.activeFaults).toEqual([{ id: 'F04', count: 1 }])
  await client.simulator.state.setFaults([])
  await readManyTimes(client)
  expect(strikes(client).filter(Boolean).length).toBeGreaterThan(60)
})
