import { describe, expect, test } from 'vitest'
import { setUp, THEIRS } from '../support/directory/panel.ts'
import { personOf } from '../support/directory/responder.ts'
import { addUser, PASSWORD } from '../support/harness.ts'

const joana = () => personOf('joana.prado', ['Painel'], 'Joana Prado')

describe('a name with its domain', () => {
  test('is one account of the directory, however it is typed, in any case', async () => {
    const { enter, listed, db } = await setUp({ people: [joana()] })
    for (const typed of [
      'joana.prado',
      'joana.prado@fabrica.local',
      'FABRICA\\joana.prado',
      'FABRICA/joana.prado',
      'FABRICA\\\\joana.prado',
      'joana.prado@FABRICA',
      ' Joana.Prado@FABRICA.local ',
    ]) {
      const answer = await enter(typed, THEIRS)
      expect([typed, answer.statusCode, answer.json().username]).toEqual([typed, 200, 'joana.prado'])
    }
    expect(await listed('joana.prado')).toMatchObject({ fullName: 'Joana Prado', isFromDirectory: true })
    const users = await db.read.selectFrom('users').select('username').orderBy('username').execute()
    expect(users.map(({ username }) => username)).toEqual(['ana', 'joana.prado'])
  })

  test('has its wrong tries counted with those of the bare name', async () => {
    const { statusOf, directory } = await setUp({ people: [joana()] })
    const typed = [
      'joana.prado',
      'joana.prado@fabrica.local',
      'FABRICA\\joana.prado',
      'joana.prado@fabrica',
      'joana.prado',
    ]
    for (const name of typed) expect(await statusOf(name, 'errada'), name).toBe(401)
    directory.heard.length = 0
    expect([await statusOf('fabrica.local\\joana.prado', THEIRS), directory.heard]).toEqual([429, []])
  })

  test.each(['joana.prado@fabrica.com.br', 'joana.prado@outra.local', 'OUTRA\\joana.prado', 'OUTRA/joana.prado'])(
    'of another company is not cut off, and what to type is said, whatever the password: %s',
    async (typed) => {
      const { enter } = await setUp({ people: [joana()] })
      for (const password of [THEIRS, 'errada']) {
        const answer = await enter(typed, password)
        expect([answer.statusCode, answer.json()]).toMatchObject([
          401,
          { code: 'credentials_with_domain', message: expect.stringContaining('Use só o nome do usuário') },
        ])
      }
      expect((await enter('joana.prado@fabrica.local', 'errada')).json().code).toBe('credentials_invalid')
    },
  )

  test('may be a local user’s own, who wins over the account of the directory', async () => {
    const { statusOf, context, directory } = await setUp({ people: [joana()] })
    await addUser(context, { username: 'joana.prado@fabrica.local' })
    expect(await statusOf('Joana.Prado@fabrica.local', PASSWORD)).toBe(200)
    expect(directory.heard).toEqual([])
    expect(await statusOf('joana.prado', THEIRS)).toBe(200)
  })

  test('enters whole where people of the directory have such names', async () => {
    const person = joana()
    person.attributes.userPrincipalName = ['joana.prado@fabrica.local']
    const { enter } = await setUp({ people: [person] }, { env: { LDAP_LOGIN_ATTRIBUTE: 'userPrincipalName' } })
    expect((await enter('joana.prado@fabrica.local', THEIRS)).json()).toMatchObject({
      username: 'joana.prado@fabrica.local',
    })
    expect((await enter('joana.prado@outra.local', THEIRS)).json().code).toBe('credentials_invalid')
  })
})

describe('groups', () => {
  const LDAP_GROUPS =
    'lider=CN=Corte\\; Crimpagem,OU=Grupos,DC=fabrica,DC=local;operador=CN=Manutenção\\, TI,OU=Grupos,DC=fabrica,DC=local'

  test.each([
    ['CN=Corte\\3B Crimpagem,OU=Grupos,DC=fabrica,DC=local', 'lider'],
    [`CN=${'Manutenção'.normalize('NFD')}\\2C TI,OU=Grupos,DC=fabrica,DC=local`, 'operador'],
    ['CN=Manuten\\C3\\A7\\C3\\A3o\\, TI,OU=Grupos,DC=fabrica,DC=local', 'operador'],
    ['CN=Manutenção,CN=TI,OU=Grupos,DC=fabrica,DC=local', undefined],
  ])('with signs that a directory escapes give the role of their rule: %s', async (group, role) => {
    const person = joana()
    person.attributes.memberOf = [group]
    const { enter } = await setUp({ people: [person] }, { env: { LDAP_GROUPS } })
    expect((await enter('joana.prado', THEIRS)).json().role).toBe(role)
  })
})
