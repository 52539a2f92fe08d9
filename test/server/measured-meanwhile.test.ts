import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Capture } from '../../src/contract/recordings.ts'
import { toInstant } from '../../src/domain/plant/plant-time.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { crimpOf } from '../support/harness.ts'
import { planOf, setUpMeasuring as setUp } from '../support/measuring.ts'

const URL = '/api/planos-de-controle'
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const narrow = { nominal: 1100, menos: 10, mais: 10 }

test('two tablets without network while the plan changes: nothing is lost, each act is judged by what was in force', async () => {
  const panel = await setUp()
  const { measure, heights, record, token, other, ask, quality, clock, db, rows, links, crimps, plan } = panel
  await db.transaction((tx) => saveSetting(tx, PLAN_MODE, 'bloquear'))
  // of heights alone, as what is measured here
  const { forcaMin: _, ...ofHeights } = planOf()
  await plan(ofHeights)
  const start = clock.now()
  const [one, two] = [
    { token, place: { maquina: 'KX0001 - Komax' }, payload: { MAQUINA: 'KX0001 - Komax' } },
    { token: other, place: { maquina: 'PR0002 - Mecal' }, payload: { MAQUINA: 'PR0002 - Mecal' } },
  ]
  /** Measured and recorded on a tablet, by its clock; the plan that it knows is the first. */
  const workAt = (tablet: typeof one, minute: number, pieces: number) => {
    const [sample, recording] = [randomUUID(), randomUUID()]
    const registradoEm = (seconds: number) => toInstant(start + minute * MINUTE_MS + seconds * SECOND_MS)
    const captura = (seconds: number, more: Capture = {}): Capture => ({
      ...{ salvoNoDispositivo: true, registradoEm: registradoEm(seconds), ...more },
    })
    return {
      sample,
      recording,
      deliver: async () => {
        const taken = await measure(
          { ...tablet.place, ...heights(1140, 1100), captura: captura(0) },
          sample,
          tablet.token,
        )
        const more = { plano: 1, medicoes: [sample] }
        const payload = { ...crimpOf(pieces), ...tablet.payload, ALTURA_LD1: 1.14, captura: captura(30, more) }
        return [taken.http, (await record(tablet.token, payload, recording)).statusCode]
      },
    }
  }
  const before = workAt(one, 1, 3)
  clock.advance(2 * MINUTE_MS)
  const { ultimaPeca, leiturasAltura, leiturasForca, terminal, bitola } = planOf()
  const changed = { ultimaPeca, leiturasAltura, leiturasForca, terminal, bitola, altura: narrow }
  const headers = { 'if-match': '"1"' }
  expect((await ask(quality, { method: 'POST', url: URL, payload: changed, headers })).statusCode).toBe(201)
  const [after, elsewhere] = [workAt(one, 3, 4), workAt(two, 3, 5)]
  clock.advance(60 * MINUTE_MS)

  // whichever comes first, and twice
  for (const work of [elsewhere, before, after, before, elsewhere]) {
    const [measured, recorded] = await work.deliver()
    expect(measured).toBe(201)
    expect([201, 202]).toContain(recorded)
  }
  const verdicts = (await rows()).map(({ act_id, verdict, plan_id }) => [act_id, verdict, plan_id])
  expect(verdicts).toEqual([
    [elsewhere.sample, 'fora', 2],
    [before.sample, 'dentro', 1],
    [after.sample, 'fora', 2],
  ])
  expect((await links()).map(({ recording_id, act_id }) => [recording_id, act_id]).toSorted()).toEqual(
    [elsewhere, before, after].map(({ recording, sample }) => [recording, sample]).toSorted(),
  )
  expect(await crimps(), 'all of it was made').toBe(12)
  const findings = await db.read.selectFrom('recording_findings').selectAll().orderBy('id').execute()
  expect(findings.map(({ recording_id, finding }) => [recording_id, finding])).toEqual([
    [elsewhere.recording, 'bloqueio-sem-rede'],
    [after.recording, 'bloqueio-sem-rede'],
  ])
})

test.each([
  ['America/Sao_Paulo', '2026-12-01', '2026-12-01T03:00:00.000Z'],
  // at that midnight summer time ends and it is eleven again
  ['America/Santiago', '2027-04-04', '2027-04-04T04:00:00.000Z'],
])('what was measured at midnight in %s is judged by the version of that day', async (TIME_ZONE, day, midnight) => {
  const { measure, heights, ask, login, clock, rows } = await setUp({ env: { TIME_ZONE } })
  const create = async (payload: object, version?: number) => {
    const { token } = await login('rita')
    const headers = version === undefined ? {} : { 'if-match': `"${version}"` }
    return (await ask(token, { method: 'POST', url: URL, payload, headers })).json().validoDe
  }
  await create(planOf())
  expect(await create({ ...planOf({ altura: narrow }), valeAPartirDe: day }, 1)).toBe(midnight)
  clock.advance(Date.parse(midnight) - clock.now() + MINUTE_MS)
  const { token } = await login('operador')
  for (const ms of [-1, 0]) {
    const captura = { salvoNoDispositivo: true, registradoEm: toInstant(Date.parse(midnight) + ms) }
    await measure({ ...heights(1140), captura }, randomUUID(), token)
  }
  expect((await rows()).map(({ verdict, measured_day }) => [verdict, measured_day])).toEqual([
    ['dentro', expect.not.stringMatching(day)],
    ['fora', day],
  ])
})
