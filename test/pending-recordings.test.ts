import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openWaitingAlarm } from '../src/server/waiting-alarm.ts'
import { addUser, cutOf, databases, openTestPanel, UNTOUCHED } from './harness.ts'

const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Lima' })
  const { token, deliveryGrant } = await panel.login('operador')
  const admin = (await panel.login('admin')).token
  await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  const erpIs = async (mood: 'down' | 'up') =>
    await panel.simulator.state.setFaults(mood === 'down' ? [{ id: 'F31', variant: 'refused' }] : [])
  const status = async () => (await panel.app.inject('/api/status')).json()
  return { ...panel, token, deliveryGrant, admin, erpIs, status }
}

describe.each(databases)('what waits on %s', (database) => {
  test('the status says since when, and which life of the database this is', async () => {
    const panel = await setUp({ database })
    const { epoch, waitingSince } = await panel.status()
    expect([typeof epoch, waitingSince]).toEqual(['string', null])
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    panel.clock.advance(60_000)
    await panel.record(panel.token, cutOf(1))
    expect(await panel.status()).toMatchObject({ epoch, waitingSince: '2026-11-21T15:00:00.000Z', pending: 2 })
    await panel.db.transaction((tx) =>
      tx.updateTable('settings').set({ value: randomUUID() }).where('name', '=', 'epoch').execute(),
    )
    expect((await panel.status()).epoch).not.toBe(epoch)
  })

  test('one that waits longer than 15 minutes is said in the log, once', async () => {
    const panel = await setUp({ database })
    const check = openWaitingAlarm(panel.context)
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    panel.clock.advance(15 * 60_000)
    await check()
    expect(panel.errors).toEqual([])
    panel.clock.advance(1)
    await check()
    await check()
    expect(panel.errors).toHaveLength(1)
    await panel.erpIs('up')
    panel.clock.advance(600_000)
    await panel.context.outbox.deliverDue()
    await check()
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    panel.clock.advance(15 * 60_000 + 1)
    await check()
    expect(panel.errors.splice(0)).toHaveLength(2)
  })
})
