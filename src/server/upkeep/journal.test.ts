import pino from 'pino'
import { expect, test } from 'vitest'
import { journal } from './journal.ts'

function printedBy(say: (log: pino.Logger) => void): string {
  const lines: string[] = []
  const out = journal({ write: (line) => lines.push(line) })
  say(pino({ base: null, level: 'trace' }, out))
  return lines.join('')
}

test('a line of the journal is Portuguese, begins with its priority and says what it is about', () => {
  const printed = printedBy((log) => {
    log.debug({ method: 'GET', path: '/', status: 200 })
    log.info({ version: 'v2.0', mode: 'plant' }, 'the server has started')
    log.warn({ reason: 'connect ECONNREFUSED' }, 'the database is out of reach')
    log.fatal('algo sem tradução')
  })
  expect(printed.split('\n')).toEqual([
    '<7>(method=GET, path=/, status=200)',
    '<6>Servidor iniciado (version=v2.0, mode=plant)',
    '<4>Banco de dados fora de alcance (reason="connect ECONNREFUSED")',
    '<2>algo sem tradução',
    '',
  ])
})

test('every line of an error has the priority of the first, and what a visitor sent cannot begin one', () => {
  const printed = printedBy((log) => {
    log.error({ err: new Error('quebrou'), path: '/a\n<0>b' }, 'a handler failed')
  })
  expect(printed).toMatch(/^<3>Uma chamada falhou por erro interno \(path="\/a\\n<0>b"\): Error: quebrou\n<3> {4}at /)
  expect(
    printed
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('<3>')),
  ).toEqual([])
})
