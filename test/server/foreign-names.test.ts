import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { foreignNames, isVariable } from '../../src/server/variables.ts'

const refusalOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('a variable by the word of another product', () => {
  test.each([
    ['SMTP_HOST', 'SMTP_URL'],
    ['SMTP_PASSWORD', 'SMTP_URL'],
    ['BACKUP_PATH', 'BACKUP_DIR'],
    ['DB_URL', 'DATABASE_URL'],
    ['MARIADB_URL', 'DATABASE_URL'],
    ['PROTHEUS_URL', 'ERP_URL'],
    ['LDAP_BIND_DN', 'LDAP_USER'],
  ])('%s is named with ours, %s, and with what that one takes', (foreign, ours) => {
    expect(refusalOf({ [foreign]: 'x' })).toMatch(new RegExp(`^${foreign} não é conhecida: aqui é ${ours}, .+\\.$`))
    expect(refusalOf({ [foreign.toLowerCase()]: 'x' })).toMatch(/^[a-z_]+ não é conhecida: aqui é /)
  })

  test('stops nothing where ours is there too: then it is meant for another program', () => {
    expect(refusalOf({ DB_URL: 'postgres://outro', DATABASE_URL: 'sqlite:' })).toBe(null)
  })

  test('is none of ours, nor one that a shell, a container or Node sets by itself', () => {
    const own = Object.keys(foreignNames)
    expect(own.filter(isVariable)).toEqual([])
    const usual = [
      'TZ',
      'HOSTNAME',
      'HOME',
      'LANG',
      'MAIL',
      'USER',
      'LOGNAME',
      'MARIADB_PORT',
      'MYSQL_PORT',
      'BASE_URL',
      'NODE_ENV',
    ]
    expect(usual.filter((name) => own.includes(name))).toEqual([])
    expect(refusalOf(Object.fromEntries(usual.map((name) => [name, 'x'])))).toBe(null)
  })
})
