import { expect, test } from 'vitest'
import { lightsOf } from './system-state.ts'

const up = { database: 'mysql', erp: 'online', erpAccess: 'ok' } as const
const here = { knownDatabase: 'sqlite', isOnline: true } as const
const statesOf = (...seen: Parameters<typeof lightsOf>) => lightsOf(...seen).map(({ state }) => state)
const textsOf = (...seen: Parameters<typeof lightsOf>) => lightsOf(...seen).map(({ text }) => text)

test('all is well', () => {
  expect(statesOf(up, here)).toEqual(['on', 'on', 'on'])
  expect(textsOf(up, here)).toEqual(['API: Online', 'MySQL: Conectado', 'ERP: Online'])
})

test('what is down is the alarm, and only that', () => {
  expect(statesOf({ ...up, erp: 'offline' }, here)).toEqual(['on', 'on', 'off'])
  expect(statesOf({ ...up, database: 'offline' }, here)).toEqual(['on', 'off', 'on'])
  expect(textsOf({ ...up, database: 'offline' }, here)[1]).toBe('SQLite: Desconectado')
})

test('an ERP that refuses the panel is no ERP', () => {
  const [, , erp] = lightsOf({ ...up, erpAccess: 'refused' }, here)
  expect(erp).toMatchObject({ state: 'off', trouble: 'sem acesso' })
})

test('an ERP that nobody has named yet is no alarm', () => {
  const [, , erp] = lightsOf({ ...up, erp: 'offline', erpConfigured: false }, here)
  expect(erp).toMatchObject({ state: 'unset', text: 'ERP: não configurado', trouble: 'não configurado' })
})

test('of what stands behind a silent server nothing is known', () => {
  expect(statesOf(null, here)).toEqual(['off', 'unknown', 'unknown'])
})

test('without network on this device none of them is the cause; the tooltips stay', () => {
  expect(statesOf(null, { ...here, isOnline: false })).toEqual(['unknown', 'unknown', 'unknown'])
  expect(textsOf(null, { ...here, isOnline: false })).toEqual(['API: Offline', 'SQLite: Desconectado', 'ERP: Offline'])
})
