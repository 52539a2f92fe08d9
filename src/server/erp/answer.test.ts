import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { errorIn, messageOf, readAnswer } from './answer.ts'

const read = (body: string | Buffer, status = 200, encoding = '') =>
  readAnswer({ status, body: Buffer.from(body as string), encoding })

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

describe('an answer that was compressed without being asked for', () => {
  const body = Buffer.from('{"Z1_DESC":"Operação"}')
  const whole = { value: { Z1_DESC: 'Operação' }, isReadable: true }
  const twice = gzipSync(brotliCompressSync(body))

  it.each([
    ['gzip', 'gzip', gzipSync(body)],
    ['gzip without its label', '', gzipSync(body)],
    ['gzip under another label', 'identity', gzipSync(body)],
    ['zstd', 'zstd', zstdCompressSync(body)],
    ['deflate', 'deflate', deflateSync(body)],
    ['deflate without its head', 'Deflate', deflateRawSync(body)],
    ['brotli', 'br', brotliCompressSync(body)],
    ['brotli within gzip', 'br, gzip', twice],
    ['nothing, whatever the label says', 'br', body],
    ['UTF-16', 'gzip', gzipSync(Buffer.from(body.toString(), 'utf16le'))],
  ])('is read: %s', (_, encoding, packed) => expect(read(packed, 200, encoding)).toMatchObject(whole))

  it('is busy where its words say so', () => {
    expect(read(gzipSync('Server Busy'), 503).door).toBe('busy')
  })

  it.each([
    ['is cut short', 'gzip', gzipSync(body).subarray(0, 25)],
    ['is brotli without a label', '', brotliCompressSync(Buffer.concat([body, body]))],
    ['is larger unpacked than any answer', 'gzip', gzipSync(Buffer.alloc(17 * 1024 * 1024, 32))],
    ['is packed in an unknown way', 'compress', Buffer.from('1f9d907b3400', 'hex')],
  ])('gives no value, and says that it is no text, where it %s', (_, encoding, packed) => {
    expect(read(packed, 200, encoding)).toMatchObject({ value: undefined, isEmpty: false, isReadable: false })
  })

  it('is text where it only calls itself compressed', () =>
    expect(read('Server Busy', 200, 'gzip, br')).toMatchObject({ text: 'Server Busy', isReadable: true }))
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
