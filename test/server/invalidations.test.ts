import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { databases } from '../support/harness.ts'
import { setUpMeasuring as setUp } from '../support/measuring.ts'

test.each(databases)(
  'an invalidation is taken back with a reason, and each of both keeps its line, on %s',
  async (database) => {
    const { measure, invalidate, takeBack, contextOf, token, admin, audit, db } = await setUp({ database })
    const id = randomUUID()
    await measure({}, id)
    const codeOf = async (answer: ReturnType<typeof invalidate>) =>
      (await answer).json().code ?? (await answer).statusCode
    expect(await codeOf(takeBack(id))).toBe('measurement_counts')
    expect(await codeOf(invalidate(id))).toBe(200)
    expect(await codeOf(invalidate(id, undefined, 'outra vez')), 'another reason').toBe('measurement_invalid')
    expect(await codeOf(invalidate(id, admin)), 'another person').toBe('measurement_invalid')
    expect(await codeOf(takeBack(id, token)), 'an operator may not').toBe('not_allowed')
    expect((await contextOf()).ultimas).toEqual([])
    const back = await takeBack(id)
    expect(back.json()).toMatchObject([{ invalida: null }])
    expect((await takeBack(id)).json(), 'pressed twice').toEqual(back.json())
    expect(await codeOf(takeBack(id, undefined, 'De novo'))).toBe('measurement_counts')
    expect(await codeOf(takeBack(id, admin))).toBe('measurement_counts')
    expect(await codeOf(takeBack(randomUUID()))).toBe('not_found')
    expect((await contextOf()).ultimas.map((one) => one.id)).toEqual([id])
    expect(await codeOf(invalidate(id)), 'out again').toBe(200)
    const lines = await db.read.selectFrom('invalidations').selectAll().orderBy('id').execute()
    expect(lines.map(({ taken_out, reason, done_by, own }) => [taken_out, reason, done_by, own])).toEqual([
      [1, 'Lida com o bico errado', 'Rita Melo', 0],
      [0, 'O bico era o certo', 'Rita Melo', 0],
      [1, 'Lida com o bico errado', 'Rita Melo', 0],
    ])
    const trail = (await audit()).filter(({ subject_kind }) => subject_kind === 'measurement')
    expect(trail.map(({ action, reason }) => [action, reason])).toEqual([
      ['measurement_invalidated', 'Lida com o bico errado'],
      ['measurement_taken_back', 'O bico era o certo'],
      ['measurement_invalidated', 'Lida com o bico errado'],
    ])
    expect(auditDetailsText(trail[1]?.details_json ?? '')).toContain('Conta: Não → Sim')
  },
)

test('whoever takes out what they measured themselves may, and it is marked', async () => {
  const { measure, invalidate, takeBack, listed, quality } = await setUp()
  const [own, others] = [randomUUID(), randomUUID()]
  await measure({}, own, quality)
  await measure({}, others)
  for (const id of [own, others]) await invalidate(id)
  expect((await listed()).map(({ id, invalida }) => [id, invalida?.porQuemMediu])).toEqual([
    [own, true],
    [others, false],
  ])
  await takeBack(own)
  expect((await listed()).map(({ invalida }) => invalida?.porQuemMediu)).toEqual([undefined, false])
})
