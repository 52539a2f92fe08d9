import { expect, test } from 'vitest'
import { csvOf } from '../text/csv.ts'
import { auditColumns, auditDetailsText, auditSubjectText } from './audit-entries.ts'

const text = (details: object) => auditDetailsText(JSON.stringify(details))

test('a change says field by field what it was and what it is', () => {
  expect(text({ was: { limitOfCrimps: 100_000, comments: null }, is: { limitOfCrimps: -1, comments: 'faca' } })).toBe(
    'Limite: 100.000 → Ilimitado; Comentários: — → faca',
  )
  expect(text({ was: { role: 'operador', active: true, version: 1 }, is: { role: 'admin', active: false } })).toBe(
    'Perfil: Operador → Administrador; Acesso: Sim → Não',
  )
})

test('what began or ended says what it is or was, and what nobody has a word for stays unsaid', () => {
  expect(text({ is: { fullName: 'Ana Lima', role: 'admin', id: 7 } })).toBe('Nome: Ana Lima; Perfil: Administrador')
  expect(text({ was: { terminal: 'T1', miniaplicator: 'MA-0001', createdAt: 5 } })).toBe(
    'Terminal: T1; Mini aplicador: MA-0001',
  )
  expect(text({ was: { maintenanceDate: null }, is: { maintenanceDate: '2026-12-01' } })).toBe(
    'Manutenção: — → 01/12/2026',
  )
  expect(text({ removed: 4 })).toBe('Entradas apagadas: 4')
  expect(auditDetailsText('not JSON')).toBe('')
})

test('its name stands for what has one', () => {
  expect(auditSubjectText({ subject: { kind: 'user', id: '7' }, details: '{"name":"ana"}' })).toBe('Usuário ana')
  expect(auditSubjectText({ subject: { kind: 'log', id: '' }, details: '{"removed":4}' })).toBe('Log do servidor')
})

test('the cells of a file', () => {
  const entry = {
    id: 9,
    at: '2026-11-22T03:30:00.000Z',
    userName: '=ana',
    action: 'discarded',
    subject: { kind: 'recording', id: 'abc' },
    reason: 'em dobro; visto',
    details: '{"was":"parked","because":"recusado"}',
  } as const
  expect(csvOf(auditColumns('America/Sao_Paulo'), [entry])).toBe(
    '\uFEFFData e hora;Usuário;Ação;Objeto;Mudança;Motivo;Linha\r\n' +
      `22/11/2026 00:30:00;"'=ana";"Apontamento descartado";"Apontamento abc";"Porque: recusado";"em dobro, visto";9\r\n`,
  )
})
