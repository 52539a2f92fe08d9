import { expect, test } from 'vitest'
import type { Settings } from '../../src/contract/settings.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, pairOf, sessionOf } from '../support/visitor.ts'

const minutesIn = async (env: Record<string, string>) => {
  const panel = await openTestPanel({ env })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  const station = await openStation(panel, 'ana')
  await addUser(panel.context, { username: 'maria' })
  const atStation = station.pairOf(await station.scan(await station.giveBadge('maria')))
  const elsewhere = pairOf(await browserOf(panel).login('maria'))
  const ask = async (headers: Record<string, string>) =>
    (await panel.app.inject({ url: '/api/configuracao', headers })).json<Settings>().idleMinutes
  return [await ask(sessionOf(atStation)), await ask(sessionOf(elsewhere))]
}

test.each([
  [{ MODE: 'plant' }, [15, 480]],
  [{ MODE: 'plant', IDLE_MINUTES: '30' }, [30, 30]],
  [{ MODE: 'plant', IDLE_MINUTES: '0' }, [0, 0]],
  [{ MODE: 'demonstration' }, [0, 0]],
] as const)(
  'with %j a shared station and another device are told after how many minutes untouched sessions end',
  async (env, minutes) => {
    expect(await minutesIn(env)).toEqual(minutes)
  },
)
