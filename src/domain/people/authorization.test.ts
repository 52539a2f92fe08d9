import { expect, test } from 'vitest'
import { authorizationFor, type OutgoingCall } from './authorization.ts'

const loggedIn: OutgoingCall = {
  path: '/api/maquinas',
  existing: null,
  token: 'tok',
  basic: 'bWFyaWE6dG9r',
}
const loggedOut = { token: null, basic: null }

test.each<[string, Partial<OutgoingCall>, string | null]>([
  ['any other call', {}, 'Basic bWFyaWE6dG9r'],
  ['any other call without a session', loggedOut, null],
  ['login', { path: '/api/auth/login' }, null],
  ['login under another base', { path: '/v2/auth/login' }, null],
  ['validate', { path: '/api/auth/validate' }, 'Basic bWFyaWE6dG9r'],
  ['the crimp list', { path: '/api/crimpagens' }, null],
  ['one crimp unit', { path: '/api/crimpagens/MA-1/limit' }, null],
  ['crimps in capitals', { path: '/API/Crimpagens/history' }, null],
  ['a path that only begins alike', { path: '/api/crimpagens-outra' }, 'Basic bWFyaWE6dG9r'],
  ['charts', { path: '/api/graficos/terminais' }, 'Bearer tok'],
  ['charts without a token', { path: '/api/graficos/terminais', token: null }, null],
  ['a delivery grant', { existing: 'Grant abc' }, 'Grant abc'],
  ['a delivery grant without a session', { ...loggedOut, existing: 'Grant abc' }, 'Grant abc'],
  ['charts with a header of their own', { path: '/api/graficos/terminais', existing: 'Basic x' }, 'Basic x'],
  ['crimps with a header of their own', { path: '/api/crimpagens', existing: 'Bearer x' }, 'Bearer x'],
])('%s', (_, differing, header) => {
  expect(authorizationFor({ ...loggedIn, ...differing })).toBe(header)
})
