import { expect, test } from 'vitest'
import { findSlapd } from '../../scripts/programs.mjs'
import type { Session } from '../../src/contract/sessions.ts'
import { startSlapd } from '../support/directory/slapd.ts'
import { addUser, openTestPanel, PASSWORD } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { isFull, sizeOf } from '../support/promises/sizes.ts'

const { people: count } = sizeOf('p23Directory')
const MINUTE_MS = 60_000

async function setUp(program: string, security: 'ldaps' | 'starttls') {
  const slapd = await startSlapd(program)
  const panel = await openTestPanel({ env: slapd.env(security) })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  const uids = Array.from({ length: count }, (_, at) => `pessoa${at}`)
  const inTeam = 'da-turma'
  await slapd.addPeople([...uids, inTeam], {
    painel: uids,
    lideres: uids.filter((_, at) => at % 5 === 0),
    turma: [inTeam],
  })
  await slapd.changeMembers('painel', 'add', [slapd.groupOf('turma')])
  let visits = 0
  /** From an address of their own each time: one alone would be slowed down. */
  const enter = (username: string, password: string) => {
    const remoteAddress = `10.1.${visits >> 8}.${visits++ & 255}`
    return panel.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { username, password } })
  }
  const isIn = async (token: string) =>
    (await panel.ask(token, { method: 'POST', url: '/api/auth/validate' })).statusCode === 200
  /** As the server's chore does each minute. Resolves to the minutes until nobody of them is in. */
  const minutesUntilOut = async (tokens: readonly string[]) => {
    for (let minute = 1; minute <= 30; minute++) {
      panel.clock.advance(MINUTE_MS)
      await panel.context.directory?.look()
      if (!(await Promise.all(tokens.map(isIn))).includes(true)) return minute
    }
    return Number.POSITIVE_INFINITY
  }
  return { ...panel, slapd, uids, inTeam, enter, isIn, minutesUntilOut }
}

async function expectDirectoryKept(program: string, security: 'ldaps' | 'starttls') {
  const { slapd, uids, inTeam, enter, isIn, minutesUntilOut, clock, context } = await setUp(program, security)
  const tokens: string[] = []
  for (const [at, uid] of uids.entries()) {
    expect((await enter(uid, `${slapd.password}x`)).statusCode).toBe(401)
    const session = (await enter(uid, slapd.password)).json<Session>()
    expect(session, uid).toMatchObject({ fullName: `Pessoa ${uid}`, role: at % 5 === 0 ? 'lider' : 'operador' })
    tokens.push(session.token)
  }
  expect((await enter('ninguem', slapd.password)).statusCode).toBe(401)
  await context.directory?.look()

  const ofTeam = (await enter(inTeam, slapd.password)).json<Session>()
  expect(ofTeam, 'by a group in a group').toMatchObject({ role: 'operador' })

  // those at 1 and 6 are in one group only
  const leavers = [1, 6]
  await slapd.change((client) => client.del(slapd.personOf(uids[1] ?? '')))
  await slapd.changeMembers('painel', 'delete', [slapd.personOf(uids[6] ?? ''), slapd.groupOf('turma')])
  const minutes = await minutesUntilOut([ofTeam.token, ...leavers.map((at) => tokens[at] ?? '')])
  expect(minutes).toBeLessThanOrEqual(15)
  const others = tokens.filter((_, at) => !leavers.includes(at))
  const countIn = async () => (await Promise.all(others.map(isIn))).filter(Boolean).length
  expect(await countIn(), 'the others').toBe(count - 2)

  const away = [slapd.stop, ...(isFull ? [slapd.freeze] : [])]
  for (const [at, leave] of away.entries()) {
    await leave()
    for (let look = 0; look < 2; look++) {
      clock.advance(15 * MINUTE_MS)
      await context.directory?.look()
    }
    expect(await countIn(), 'nobody is thrown out').toBe(count - 2)
    const entries = [await enter('ana', PASSWORD), await enter(uids[0] ?? '', slapd.password)]
    expect(
      entries.map(({ statusCode }) => statusCode),
      'a local admin comes in',
    ).toEqual([200, 503])
    if (at === 0) await slapd.restart()
    else slapd.thaw()
  }
  expect((await enter(uids[0] ?? '', slapd.password)).statusCode, 'it is back').toBe(200)
  report(`P23 ${security}`, { people: count }, { leaversOutMinutes: minutes, outages: away.length })
}

test.each(['ldaps', 'starttls'] as const)(
  'P23: on a real slapd by %s a leaver is out within 15 minutes, and nobody while it is away',
  async (security) => {
    const program = findSlapd()
    if (program) return await expectDirectoryKept(program, security)
    // no package becomes a condition of the smaller sizes
    if (isFull) throw new Error('Not shown: this needs slapd, which is not here.')
    report(`P23 ${security}`, { people: 0 }, { notShown: 'slapd is not here' })
  },
)
