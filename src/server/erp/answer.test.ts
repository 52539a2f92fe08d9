import { describe, expect, it } from 'vitest'
import { errorIn, messageOf, readAnswer } from './answer.ts'

const read = (body: string | Buffer, status = 200) => readAnswer({ status, body: Buffer.from(body as string) })

describe('readAnswer', () => {
  it('takes off the byte order mark', () => expect(read('\uFEFF{"a":1}').value).toEqual({ a: 1 }))
  it('bears line breaks within a text', () => expect(read('{"a":"one\r\ntwo"}').value).toEqual({ a: 'one  two' }))
  it('gives the last of several values', () =>
    expect(read('{"message":"a}\\"{"}\n{"b":2}')).toMatchObject({ value: { b: 2 }, repeated: true }))

  it.each([
    '{"items":[{"a":1},{"a":',
    '{"a":1}{"b":',
    '<html>{"a":1}</html>',
    '{"errorMessage":"um "texto" quebrado"}',
    'Server Busy',
  ])('finds no value in %s', (body) =>
    expect(read(body)).toMatchObject({ value: undefined, isEmpty: false, repeated: false }),
  )

  it.each(['', '  ', 'null'])('is empty: %j', (body) => expect(read(body).isEmpty).toBe(true))

  it.each([
    [200, 'Server Busy', 'open'],
    [500, 'Server Busy', 'open'],
    [503, 'Server Busy', 'busy'],
    [503, '{"errorCode":503,"errorMessage":"Sem licença disponível"}', 'busy'],
    [503, '<html>Em manutenção</html>', 'away'],
    [502, '', 'away'],
    [504, '', 'away'],
  ])('%i %s: the door is %s', (status, body, door) => expect(read(body, status).door).toBe(door))
})

describe('messageOf', () => {
  it.each([
    [{ errorCode: 400, errorMessage: ' Lote bloqueado ' }, 'Lote bloqueado'],
    [{ errorCode: 400, errorMessage: '{"code":"MA0001","message":"Lote bloqueado"}' }, 'Lote bloqueado'],
    [{ code: 'A', message: 'Lote bloqueado', detailedMessage: 'mais', helpUrl: '', details: [] }, 'Lote bloqueado'],
    [{ Code: 'A', Message: 'Lote bloqueado', DetailedMessage: '' }, 'Lote bloqueado'],
    [{ message: '', detailedMessage: 'Lote bloqueado' }, 'Lote bloqueado'],
    [{ mensagem: 'Lote\r\n  bloqueado' }, 'Lote bloqueado'],
    [{ error: { message: 'Lote bloqueado' } }, 'Lote bloqueado'],
    [{ errorMessage: 'Falhou THREAD ERROR ([12], X) called from Y' }, 'Falhou'],
    [{ errorMessage: 'x'.repeat(400) }, 'x'.repeat(300)],
    [{ something: 'else' }, ''],
  ])('%j', (value, expected) => expect(messageOf(value)).toBe(expected))
})

describe('errorIn', () => {
  const expectedKeys = ['REGISTRO']
  it.each([
    { errorCode: 400, errorMessage: 'Não' },
    { code: '001', message: 'Não' },
    { Code: '001', Message: 'Não' },
    { status: '2', message: 'Não' },
    { success: false, message: 'Não' },
    { Sucesso: 'N', mensagem: 'Não' },
    { ok: false, message: 'Não' },
    { status: 'erro', message: 'Não' },
    { erro: 'Não' },
    { error: { message: 'Não' } },
    [{ errorCode: 400, errorMessage: 'Não' }],
  ])('finds an error under status 200: %j', (value) =>
    expect(errorIn({ status: 200, value }, expectedKeys)).toEqual({ message: 'Não', crashed: false, isServers: false }),
  )

  it.each([
    { message: 'Feito' },
    { code: '201', message: 'Feito', registro: '000000001' },
    { status: '1', message: 'Feito' },
    { code: 201, message: 'Feito' },
    { message: 'Feito', error: null, errors: [], errorMessage: '' },
    { items: [] },
    [],
    null,
    undefined,
  ])('finds none in %j', (value) => expect(errorIn({ status: 200, value }, expectedKeys)).toBeNull())

  it('takes any object for an error under an error status', () =>
    expect(errorIn({ status: 400, value: { message: 'Não' } }, expectedKeys)?.message).toBe('Não'))

  it('tells an error of the server’s from one of ours', () => {
    expect(errorIn({ status: 200, value: { code: 500, message: 'Não' } }, [])?.isServers).toBe(true)
    expect(errorIn({ status: 200, value: { code: 400, message: 'Não' } }, [])?.isServers).toBe(false)
  })

  it('tells a crash from a decision', () =>
    expect(errorIn({ status: 500, value: { errorCode: 500, errorMessage: 'THREAD ERROR' } }, [])?.crashed).toBe(true))
})
