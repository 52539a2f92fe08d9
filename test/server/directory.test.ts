import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startChores } from '../../src/server/panel.ts'
import { setUp, THEIRS } from '../support/directory/panel.ts'
import { groupOf, nestedGroupOf, personOf, SERVICE } from '../support/directory/responder.ts'
import { addUser, cutOf, databases, PASSWORD, temporaryFolder } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, grantOf, pairOf } from '../support/visitor.ts'

const MINUTE_MS = 60_000

describe.each(databases)('who is of the directory, on %s', (database) => {
  test('comes in with its password, in the role that the groups give, and out once it has left', async () => {
    const { enter, look, listed, isIn, trail, directory, clock, db } = await setUp({}, { database })
    const session = (await enter('Maria', THEIRS)).json()
    const { token } = session
    expect(session).toMatchObject({ isFromDirectory: true })
    expect(await listed('maria')).toMatchObject({
      fullName: 'Maria Souza',
      role: 'operador',
      active: true,
      isFromDirectory: true,
    })
    await look()
    directory.people.length = 0
    clock.advance(13 * MINUTE_MS)
    await look()
    expect(await isIn(token), 'looked a moment ago').toBe(true)
    clock.advance(2 * MINUTE_MS)
    await look()
    expect(await isIn(token)).toBe(false)
    expect(await listed('maria')).toMatchObject({ active: false })
    const ends = await db.read
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select('ended_why')
      .where('username', '=', 'maria')
      .execute()
    expect(ends).toEqual([{ ended_why: 'deactivated' }])
    expect(await trail()).toEqual([
      ['diretório', 'user_created', { name: 'maria', is: { fullName: 'Maria Souza', role: 'operador' } }],
      ['diretório', 'user_changed', expect.objectContaining({ is: { active: false }, because: expect.any(String) })],
    ])
    directory.people.push(personOf('maria', ['Lideres']))
    expect((await enter('maria', THEIRS)).json()).toMatchObject({ role: 'lider' })
  })
})

describe('log-in by the directory', () => {
  test.each(['ldaps', 'starttls'] as const)('sends no password in clear, by %s', async (security) => {
    const { statusOf, directory } = await setUp({ security })
    expect([await statusOf('maria', THEIRS), await statusOf('maria', 'errada')]).toEqual([200, 401])
    expect(directory.heard.filter((line) => line.startsWith('bind')).length).toBe(4)
    expect(directory.heard.filter((line) => line.endsWith('in clear'))).toEqual([])
  })

  test('asks nothing of a directory that offers no TLS, or whose certificate nobody known has signed', async () => {
    for (const [security, env] of [
      ['none', {}],
      ['ldaps', { LDAP_CA_FILE: fileOf('') }],
    ] as const) {
      const { enter, directory } = await setUp({ security }, { env })
      const answer = await enter('maria', THEIRS)
      expect([answer.statusCode, answer.json().code]).toEqual([503, 'directory_unavailable'])
      expect(directory.heard.filter((line) => line.startsWith('bind'))).toEqual([])
    }
    const { statusOf } = await setUp({ security: 'none' }, { env: { LDAP_ALLOW_PLAIN: 'on' } })
    expect(await statusOf('maria', THEIRS), 'where a plant wants it so').toBe(200)
  })

  test('refuses who is unknown, disabled, in no group, there twice, or without a password, which is never sent', async () => {
    const { statusOf, directory } = await setUp()
    const disabled = personOf('rui', ['Painel'], 'Rui Alves')
    disabled.attributes.userAccountControl = ['514']
    const twice = [1, 2].map((n) => personOf('gil', ['Painel'], `Gil ${n}`))
    directory.people.push(disabled, personOf('lia', ['Outros'], 'Lia Reis'), ...twice)
    for (const username of ['ninguem', 'rui', 'lia', 'gil'])
      expect(await statusOf(username, THEIRS), username).toBe(401)
    directory.heard.length = 0
    expect([await statusOf('maria', ''), directory.heard]).toEqual([400, []])
  })

  test('an empty password by Basic is refused before any bind', async () => {
    const { app, directory } = await setUp({}, { env: { AUTH_BASIC_PASSWORD: 'on' } })
    const authorization = `Basic ${Buffer.from('maria:').toString('base64')}`
    const answer = await app.inject({ method: 'POST', url: '/api/auth/validate', headers: { authorization } })
    expect([answer.statusCode, directory.heard]).toEqual([401, []])
  })

  test('a name cannot change what is searched for', async () => {
    const { statusOf, directory } = await setUp()
    for (const name of ['*', 'mar*', 'x)(objectClass=*', 'maria)(|(sAMAccountName=*']) {
      expect(await statusOf(name, THEIRS), name).toBe(401)
    }
    expect(directory.heard[1]).toBe('search (&(objectclass=person)(|(samaccountname=\\2a)))')
    const binds = directory.heard.filter((line) => line.startsWith('bind'))
    expect(new Set(binds), 'nobody was found').toEqual(new Set([`bind ${SERVICE.dn}`]))
  })

  test('wrong tries are counted as those of a local user, and answers that did not come are not', async () => {
    const { statusOf, directory } = await setUp()
    directory.fault = 'busy'
    for (let guess = 0; guess < 8; guess++) expect(await statusOf('maria', 'errada')).toBe(503)
    directory.fault = null
    for (let guess = 0; guess < 5; guess++) expect(await statusOf('maria', 'errada')).toBe(401)
    directory.heard.length = 0
    expect([await statusOf('maria', THEIRS), directory.heard]).toEqual([429, []])
  })

  test('while it hangs only so many wait for it, the rest are told to come again', async () => {
    const { enter, directory } = await setUp()
    directory.fault = 'silent'
    const waiting = Array.from({ length: 20 }, (_, at) => enter(`pessoa${at}`, THEIRS))
    const searches = () => directory.heard.filter((line) => line.startsWith('search')).length
    await expect.poll(searches).toBe(20)
    expect((await enter('maria', THEIRS)).json().code).toBe('overloaded')
    await directory.close()
    const codes = (await Promise.all(waiting)).map((answer) => answer.json().code)
    expect(new Set(codes)).toEqual(new Set(['directory_unavailable']))
  })

  test('a local user wins over one of the directory, and what an admin has decided here stands', async () => {
    const { statusOf, context, directory, enter, ask, login, listed } = await setUp()
    await addUser(context, { username: 'rui' })
    directory.people.push(personOf('rui', ['Painel-Admin'], 'Rui Alves'))
    expect([await statusOf('rui', THEIRS), await statusOf('rui', PASSWORD)]).toEqual([401, 200])
    expect(directory.heard).toEqual([])
    await enter('maria', THEIRS)
    const { token } = await login('ana')
    const id = (await listed('maria'))?.id
    const put = async (url: string, payload: object) => {
      const answer = await ask(token, { method: 'PUT', url: `/api/usuarios/${id}${url}`, payload })
      return answer.json().code ?? answer.statusCode
    }
    expect(await put('', { role: 'admin' })).toBe('directory_user')
    expect(await put('', { fullName: 'Maria' })).toBe('directory_user')
    expect(await put('/senha', { password: 'três porcas na bancada' })).toBe('directory_user')
    expect(await put('', { active: false })).toBe(200)
    expect(await statusOf('maria', THEIRS)).toBe(401)
    expect(await put('', { active: true })).toBe(200)
    expect(await statusOf('maria', THEIRS)).toBe(200)
  })

  test('what an admin decides while the directory is asked stands too', async () => {
    const { enter, directory, ask, login, listed, trail } = await setUp()
    await enter('maria', THEIRS)
    const { token } = await login('ana')
    const id = (await listed('maria'))?.id
    const free = Promise.withResolvers<void>()
    directory.until = free.promise
    directory.heard.length = 0
    const entering = enter('maria', THEIRS)
    await expect.poll(() => directory.heard.some((line) => line.startsWith('search'))).toBe(true)
    const answer = await ask(token, { method: 'PUT', url: `/api/usuarios/${id}`, payload: { active: false } })
    expect(answer.statusCode).toBe(200)
    free.resolve()
    expect((await entering).statusCode).toBe(401)
    expect(await listed('maria')).toMatchObject({ active: false })
    expect((await trail()).at(-1)).toEqual(['ana', 'user_changed', expect.anything()])
  })

  test('the last local admin stays one, however many the directory has', async () => {
    const { enter, directory, ask, login, listed } = await setUp()
    directory.people.push(personOf('lia', ['Painel-Admin'], 'Lia Reis'))
    expect((await enter('lia', THEIRS)).json()).toMatchObject({ role: 'admin' })
    const { token } = await login('ana')
    const change = async (username: string) => {
      const url = `/api/usuarios/${(await listed(username))?.id}`
      return (await ask(token, { method: 'PUT', url, payload: { active: false } })).statusCode
    }
    expect([await change('ana'), await change('lia')]).toEqual([409, 200])
  })

  test('confirming the password on a device is a bind', async () => {
    const { enter, directory, ask, clock } = await setUp({ people: [personOf('maria', ['Painel-Admin'])] })
    const { token } = (await enter('maria', THEIRS)).json()
    clock.advance(6 * MINUTE_MS)
    const change = () => ask(token, { method: 'PUT', url: '/api/configuracao', payload: { limitWarningPercent: 75 } })
    expect((await change()).statusCode).toBe(428)
    directory.heard.length = 0
    const confirm = async (password: string) =>
      (await ask(token, { method: 'POST', url: '/api/auth/confirm', payload: { password } })).statusCode
    expect([await confirm('errada'), await confirm(THEIRS)]).toEqual([422, 200])
    expect(directory.heard.filter((line) => line.startsWith('bind'))).toHaveLength(4)
    expect((await change()).statusCode).toBe(200)
  })
})

describe('groups in groups', () => {
  // the people's branch is not the groups'
  const env = { LDAP_BASE: 'OU=Pessoas,DC=fabrica,DC=local' }

  test('give their role as those that hold them, until somebody is in none of them', async () => {
    const people = [
      personOf('maria', ['Turma (A)*']),
      personOf('rui', ['Chefia'], 'Rui Alves'),
      personOf('lia', ['Outros'], 'Lia Reis'),
      nestedGroupOf('Linha 1', ['Painel', 'Turma (A)*']),
      nestedGroupOf('Turma (A)*', ['Linha 1']),
      nestedGroupOf('Chefia', ['Turma (A)*', 'Painel-Admin']),
    ]
    const { enter, statusOf, look, isIn, directory, clock } = await setUp({ people }, { env })
    const { token, role } = (await enter('maria', THEIRS)).json()
    expect(role).toBe('operador')
    expect((await enter('rui', THEIRS)).json()).toMatchObject({ role: 'admin' })
    expect(await statusOf('lia', THEIRS)).toBe(401)
    directory.heard.length = 0
    clock.advance(15 * MINUTE_MS)
    await look()
    expect(await isIn(token)).toBe(true)
    // one for the people, and one a level: the last finds nothing new
    expect(directory.heard.filter((line) => line.startsWith('search'))).toHaveLength(4)
    expect(directory.heard.find((line) => line.includes('Turma'))).toContain('CN=Turma \\28A\\29\\2a')
    directory.people.splice(3, 1)
    clock.advance(15 * MINUTE_MS)
    await look()
    expect(await isIn(token), 'the group in between is in none any more').toBe(false)
  })

  test('are no reason to answer less where the service account sees people only', async () => {
    const { statusOf, directory } = await setUp({}, { env })
    directory.fault = 'no groups'
    expect(await statusOf('maria', THEIRS)).toBe(200)
  })
})

describe('a badge of somebody of the directory', () => {
  async function giveBadge() {
    const panel = await setUp()
    const { token } = (await panel.enter('maria', THEIRS)).json()
    const station = await openStation(panel, 'ana')
    const code = await station.giveBadge('maria')
    const scan = async () => {
      const answer = await station.scan(code)
      return answer.json().code ?? answer.statusCode
    }
    return { ...panel, token, scan }
  }

  test('asks the directory where its last look is older than 15 minutes: a leaver is out, and out everywhere', async () => {
    const { scan, token, isIn, listed, directory, clock } = await giveBadge()
    directory.people.length = 0
    expect(await scan(), 'looked at a moment ago').toBe(200)
    clock.advance(15 * MINUTE_MS)
    expect([await scan(), await isIn(token)]).toEqual(['badge_wrong', false])
    expect(await listed('maria')).toMatchObject({ active: false })
  })

  test('enters whoever is still there, and everybody while the directory gives no answer', async () => {
    const { scan, directory, clock } = await giveBadge()
    clock.advance(15 * MINUTE_MS)
    directory.heard.length = 0
    expect([await scan(), await scan()]).toEqual([200, 200])
    expect(
      directory.heard.filter((line) => line.startsWith('bind')),
      'asked once',
    ).toHaveLength(1)
    directory.people.length = 0
    for (const fault of ['busy', 'drops'] as const) {
      directory.fault = fault
      clock.advance(15 * MINUTE_MS)
      expect(await scan(), fault).toBe(200)
    }
    await directory.close()
    expect(await scan()).toBe(200)
  })
})

const fileOf = (content: string) => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, content)
  return file
}

describe('the look at who is still there', () => {
  test('no answer throws nobody out, whatever kind of silence it is; local users come in', async () => {
    const { enter, look, isIn, statusOf, directory, clock } = await setUp()
    const { token } = (await enter('maria', THEIRS)).json()
    directory.people.length = 0
    for (const fault of ['busy', 'drops'] as const) {
      directory.fault = fault
      clock.advance(15 * MINUTE_MS)
      await look()
      expect(await isIn(token), fault).toBe(true)
    }
    await directory.close()
    await look()
    expect(await isIn(token)).toBe(true)
    expect([await statusOf('ana', PASSWORD), await statusOf('maria', THEIRS)]).toEqual([200, 503])
  })

  test('an answer that knows nobody of many is a mistake of somebody’s, and throws nobody out', async () => {
    const people = [1, 2, 3, 4, 5].map((n) => personOf(`pessoa${n}`, ['Painel'], `Pessoa ${n}`))
    const { enter, look, isIn, directory, clock } = await setUp({ people: [...people] })
    const sessions = await Promise.all(people.map((_, at) => enter(`pessoa${at + 1}`, THEIRS)))
    const countIn = async () =>
      (await Promise.all(sessions.map((session) => isIn(session.json().token)))).filter(Boolean).length
    directory.people.length = 0
    clock.advance(15 * MINUTE_MS)
    await look()
    expect(await countIn()).toBe(5)
    directory.people.push(...people.slice(0, 1))
    await look()
    expect(await countIn(), 'four of five may have left').toBe(1)
  })

  test('is one of the things that a server does by itself, from its start on', async () => {
    const { enter, isIn, directory, context } = await setUp()
    const { token } = (await enter('maria', THEIRS)).json()
    directory.people.length = 0
    onTestFinished(startChores(context))
    await expect.poll(() => isIn(token)).toBe(false)
  })

  test('asks for everybody by one search; who is disabled or in no group any more is out, the rest have their new role', async () => {
    const people = ['maria', 'rui', 'lia', 'gil'].map((name) => personOf(name, ['Painel'], `Pessoa ${name}`))
    const { enter, look, isIn, directory, clock, listed } = await setUp({ people })
    const tokens = await Promise.all(
      people.map(async ({ attributes }) => (await enter(attributes.sAMAccountName?.[0] ?? '', THEIRS)).json().token),
    )
    const [, rui, lia, gil] = people
    if (rui) rui.attributes.userAccountControl = ['514']
    if (lia) lia.attributes.memberOf = [groupOf('Outros')]
    if (gil) gil.attributes.memberOf = [groupOf('Lideres')]
    directory.heard.length = 0
    clock.advance(15 * MINUTE_MS)
    await look()
    expect(await Promise.all(tokens.map(isIn))).toEqual([true, false, false, true])
    expect(directory.heard.filter((line) => line.startsWith('search (&(objectclass=person)'))).toHaveLength(1)
    expect(await listed('gil')).toMatchObject({ role: 'lider' })
  })

  test('what a leaver’s tablet still sends is retained, also where its session had ended before', async () => {
    const panel = await setUp()
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('maria', THEIRS))
    await browser.logout(pair)
    panel.directory.people.length = 0
    panel.clock.advance(60 * MINUTE_MS)
    await panel.look()
    const sent = await panel.app.inject({
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: {
        ...grantOf(pair),
        'idempotency-key': '00000000-0000-4000-8000-000000000001',
        'sec-fetch-site': 'same-origin',
      },
      payload: { ...cutOf(1), captura: { salvoNoDispositivo: true } },
    })
    expect([sent.statusCode, sent.json()]).toMatchObject([202, { retido: true }])
  })
})
