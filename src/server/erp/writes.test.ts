import { describe, expect, it } from 'vitest'
import { readAnswer } from './answer.ts'
import { failure, NotExecuted } from './calls.ts'
import { confirmReceipt, recordCutCrimp } from './operations.ts'
import { outcomeOfAnswer, outcomeOfError } from './writes.ts'

const outcomeOf = (status: number, body: unknown, op: Parameters<typeof outcomeOfAnswer>[1] = recordCutCrimp) =>
  outcomeOfAnswer(
    readAnswer({
      status,
      contentType: '',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
    op,
  )

describe('the answer to a write', () => {
  it.each([
    [201, { message: 'Feito', registro: '000000001', status: '1' }, 'Feito', '000000001'],
    [200, { message: 'Feito', registro: '000000001', repetido: true }, 'Feito', '000000001'],
    [200, [{ mensagem: 'Feito' }], 'Feito', null],
    [201, { registro: '1' }, 'Apontamento realizado com sucesso!', '1'],
  ])('%i %j confirms', (status, body, message, erpRecord) =>
    expect(outcomeOf(status, body)).toEqual({ outcome: 'confirmed', message, erpRecord }),
  )

  it.each([
    [400, { errorCode: 400, errorMessage: 'Não' }],
    [409, { code: '1', message: 'Não' }],
    [422, { message: 'Não' }],
    [500, { errorCode: 500, errorMessage: 'Não' }],
    [200, { errorCode: 400, errorMessage: 'Não' }],
    [200, { message: 'Não', status: '2' }],
  ])('%i %j refuses', (status, body) => expect(outcomeOf(status, body)).toEqual({ outcome: 'refused', message: 'Não' }))

  it('refuses in our words when the ERP has none', () =>
    expect(outcomeOf(400, { errorCode: 400 })).toEqual({
      outcome: 'refused',
      message: 'O ERP recusou o apontamento.',
    }))

  it.each([
    [200, ''],
    [200, 'null'],
    [200, {}],
    [200, []],
    [200, '"ok"'],
    [201, '{"message":"Feito","regis'],
    [202, { message: 'Em processamento', status: '0' }],
    [302, ''],
    [403, { errorCode: 403, errorMessage: 'Proibido' }],
    [404, '<html>Not Found</html>'],
    [500, '<html>THREAD ERROR</html>'],
    [500, { errorCode: 500, errorMessage: 'THREAD ERROR ([1]) called from X' }],
    [500, { errorCode: 500, errorMessage: 'Falha ao gravar. THREAD ERROR ([1]) called from X' }],
    [500, { errorCode: 500, errorMessage: '' }],
    [502, ''],
    [503, '<html>Em manutenção</html>'],
    [504, ''],
  ])('%i %j leaves it open', (status, body) => expect(outcomeOf(status, body).outcome).toBe('unknown'))

  it.each([
    [401, { errorCode: 401, errorMessage: 'Token inválido' }, 'auth'],
    [503, 'Server Busy', 'busy'],
    [503, 'no license available', 'busy'],
  ])('%i %j was not executed', (status, body, kind) =>
    expect(outcomeOf(status, body)).toMatchObject({ outcome: 'not_sent', kind }),
  )
})

describe('the answer to a receipt', () => {
  it.each([
    [200, { message: 'Item já recebido', Z1_CONFERE: 'S' }, 'Item já recebido'],
    [200, { Z1_CODBAR: '0101621401001000010007' }, 'Recebimento confirmado'],
    [200, [{ Z1_CONFERE: 'S' }], 'Recebimento confirmado'],
    [200, 'true', 'Recebimento confirmado'],
    [200, '"Recebido"', 'Recebido'],
  ])('%i %j confirms, as whatever is not empty', (status, body, message) =>
    expect(outcomeOf(status, body, confirmReceipt)).toEqual({ outcome: 'confirmed', message, erpRecord: null }),
  )

  it.each([
    [200, { errorCode: 400, errorMessage: 'Não' }],
    [200, { success: false, message: 'Não' }],
  ])('%i %j refuses', (status, body) =>
    expect(outcomeOf(status, body, confirmReceipt)).toEqual({ outcome: 'refused', message: 'Não' }),
  )

  it.each([
    [200, ''],
    [200, 'null'],
    [200, '""'],
    [200, 'false'],
    [200, []],
    [200, '<html>Bem-vindo</html>'],
    [500, 'true'],
  ])('%i %j leaves it open', (status, body) => expect(outcomeOf(status, body, confirmReceipt).outcome).toBe('unknown'))
})

describe('a write without an answer', () => {
  it.each([
    [new NotExecuted('unavailable'), { outcome: 'not_sent', kind: 'unavailable' }],
    [new NotExecuted('timeout'), { outcome: 'not_sent', kind: 'unavailable' }],
    [new NotExecuted('busy'), { outcome: 'not_sent', kind: 'busy' }],
    [new NotExecuted('auth'), { outcome: 'not_sent', kind: 'auth' }],
    [failure('timeout'), { outcome: 'unknown' }],
    [failure('unavailable'), { outcome: 'unknown' }],
    [new Error('a mistake of ours'), { outcome: 'unknown' }],
  ])('%s', (error, expected) => expect(outcomeOfError(error)).toMatchObject(expected))
})
