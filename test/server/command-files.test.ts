import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { compileCache, USER_PASSWORD } from '../support/panel.ts'
import { databaseOf } from '../support/starting.ts'

/** As where an administrator's account may not read what the service reads. */
const unreadable = {
  LDAP_URL: 'ldaps://ad.fabrica.local',
  LDAP_BASE: 'DC=fabrica,DC=local',
  LDAP_USER: 'painel@fabrica.local',
  LDAP_GROUPS: 'operador=CN=Painel,DC=fabrica,DC=local',
  LDAP_PASSWORD_FILE: '/nowhere/senha',
  LDAP_CA_FILE: '/nowhere/ca.pem',
  ERP_CONFIG: '/nowhere/erp.json',
}

const run = (file: string, given: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [file, ...given], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
    input: `${USER_PASSWORD}\n`,
    encoding: 'utf8',
  })

const USER = 'src/server/commands/user.ts'
const DATABASE = 'src/server/commands/database.ts'

describe('a file of the directory or of the ERP that cannot be read', () => {
  test('stops no command that needs none of it', async () => {
    const env = { ...(await databaseOf({})), ...unreadable }
    for (const [file, ...given] of [
      [USER, 'add', 'ana', '--role', 'admin'],
      [USER, 'password', 'ana'],
      [USER, 'list'],
      [DATABASE, 'backup'],
      [DATABASE, 'restore', '--drill'],
      [DATABASE, 'rotate-key'],
    ] as const) {
      expect(run(file, given, env), given.join(' ')).toMatchObject({ stderr: '', status: 0 })
    }
    expect(run('demo/fault-command.ts', ['--list'], env).stderr).not.toContain('nowhere')
  })

  test('stops a check of the ERP where it is the ERP’s, and only then', async () => {
    const env = await databaseOf({})
    const check = (more: object) => run('src/server/commands/erp-check.ts', ['01621401001'], { ...env, ...more }).stderr
    const { ERP_CONFIG, ...ofDirectory } = unreadable
    expect(check(ofDirectory)).toMatch(/^Não há ERP a conferir/)
    expect(check({ ERP_CONFIG })).toMatch(
      /^ERP_CONFIG inválido: não foi possível ler \/nowhere\/erp\.json \(não existe\)\.\n$/,
    )
  })
})
