import { describe, expect, it } from 'vitest'
import { readAnswer } from './answer.ts'
import { failure, NotExecuted } from './calls.ts'
import { confirmReceipt, recordCutCrimp } from './operations.ts'
import { outcomeOfAnswer, outcomeOfError } from './outcomes.ts'
import { ErpSettings } from './settings.ts'

const OURS = '6f1c6a0e-6a5e-4a4f-9b0b-2a3c0a7d11e2'
const THEIRS = '00000000-6a5e-4a4f-9b0b-2a3c0a7d11e2'
const SAID = 'Apontamento realizado com sucesso!'

const outcomeOf = (status: number, body: unknown, op = recordCutCrimp, settings: object = {}) =>
  outcomeOfAnswer(
    readAnswer({
      status,
      encoding: '',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
    { ...op, confirming: ErpSettings.parse(settings).confirms[op.path], integrationId: OURS },
  )
const receiptOf = (status: number, body: unknown) => outcomeOf(status, body, confirmReceipt as never)

/** In one word, as the table of the product says it. */
function decisionOf(status: number, body: unknown) {
  const outcome = outcomeOf(status, body)
  return outcome.outcome === 'unknown' && outcome.words !== null ? 'unknown with words' : outcome.outcome
}

/** A kind of body, and what may stand in it of an id. */
const bodies = {
  'a positive word': { registro: '000000001' },
  'a positive sentence': { message: SAID },
  'an error with words': { errorCode: 400, errorMessage: 'Lote bloqueado' },
  'an error of the server with words': { errorCode: 500, errorMessage: 'Lote bloqueado' },
  'an error without words': { sucesso: false },
  'words alone': { message: 'Lote vencido' },
  'a sentence that denies': { message: 'Não foi possível gravar' },
  'nothing that is known': { items: [] },
  'still at work': { registro: '1', status: '0' },
  'a program’s stack': { errorCode: 500, errorMessage: 'Falha. THREAD ERROR ([1]) called from X' },
  'the name of a status': { errorCode: 404, errorMessage: 'Not Found' },
}
const texts = {
  'two documents': `{"message":"${SAID}","registro":"1"}{"errorCode":500,"errorMessage":"Lote bloqueado"}`,
  'a page': '<html><body>Sem licença: Server Busy</body></html>',
  'the AppServer’s short answer': 'Server Busy',
  'half an answer': `{"message":"${SAID}","regis`,
  nothing: '',
  null: 'null',
}
const statuses = [200, 201, 302, 400, 401, 403, 404, 405, 408, 409, 422, 425, 429, 500, 502, 503, 504]
const refusing = [400, 409, 422]
const failing = [500, 502, 503, 504]
type Body = keyof typeof bodies | keyof typeof texts

/** What each decision needs; whatever is not named leaves the fate open. */
const decided: Record<string, Partial<Record<Body, readonly number[]>>> = {
  confirmed: { 'a positive word': [200, 201], 'a positive sentence': [200, 201] },
  refused: {
    'an error with words': [200, 201, 404, 405, ...refusing],
    'an error of the server with words': refusing,
    'words alone': refusing,
    'a sentence that denies': refusing,
  },
  'unknown with words': {
    'an error with words': failing,
    'an error of the server with words': [200, 201, ...failing],
    'words alone': failing,
    'a sentence that denies': [200, 201, ...failing],
  },
  not_sent: { 'the AppServer’s short answer': [503] },
}

function expected(status: number, body: Body): string {
  if (status === 401) return 'not_sent'
  return Object.entries(decided).find(([, by]) => by[body]?.includes(status))?.[0] ?? 'unknown'
}

describe.each(statuses)('an answer under status %i', (status) => {
  it.each(Object.entries(texts))('with %s', (name, body) =>
    expect(decisionOf(status, body)).toBe(expected(status, name as Body)),
  )

  it.each(Object.entries(bodies))('with %s', (name, body) =>
    expect(decisionOf(status, body)).toBe(expected(status, name as Body)),
  )

  it.each(Object.entries(bodies))('with %s and our id', (name, body) => {
    const echoed = status < 300 && (name === 'words alone' || name === 'nothing that is known')
    expect(decisionOf(status, { ...body, ID_INTEGRACAO: ` ${OURS.toUpperCase()} ` })).toBe(
      echoed ? 'confirmed' : expected(status, name as Body),
    )
  })

  it.each(Object.entries(bodies))('with %s and the id of another', (_, body) => {
    const open = status === 401 ? 'not_sent' : 'unknown'
    expect(decisionOf(status, { ...body, ID_INTEGRACAO: THEIRS })).toBe(open)
    expect(decisionOf(status, { ...body, data: [{ id_integracao: THEIRS }] })).toBe(open)
  })
})

describe('a confirmation', () => {
  it.each([
    [201, { message: 'Feito', registro: '000000001', status: '1' }, 'Feito', '000000001'],
    [200, { message: 'Feito', registro: '000000001', repetido: true }, 'Feito', '000000001'],
    [200, [{ mensagem: 'Feito', Registro: 'A1 ' }], 'Feito', 'A1'],
    [201, { registro: '1' }, SAID, '1'],
    [200, { status: 1 }, SAID, null],
    [200, { Success: 'true' }, SAID, null],
    [200, { sucesso: true, message: 'Feito' }, 'Feito', null],
    [200, { ok: true }, SAID, null],
    [200, { registro: '7', Registro: '7' }, SAID, '7'],
  ])('%i %j', (status, body, message, erpRecord) =>
    expect(outcomeOf(status, body)).toEqual({ outcome: 'confirmed', message, erpRecord }),
  )

  it.each([
    [{ code: 201, message: 'Registro incluído com sucesso' }, 'Registro incluído com sucesso'],
    [{ message: 'Login realizado com sucesso' }, 'Login realizado com sucesso'],
    ['"GRAVADO COM SUCESSO"', 'GRAVADO COM SUCESSO'],
  ])('%j is one by words alone, which may be about something else', (body, message) =>
    expect(outcomeOf(200, body)).toEqual({ outcome: 'confirmed', message, erpRecord: null, byWords: true }),
  )

  it.each([
    [{ message: SAID, registro: '1' }],
    [{ message: SAID, status: '1' }],
    [{ message: SAID, ID_INTEGRACAO: OURS }],
  ])('%j is more than words', (body) => expect(outcomeOf(201, body)).not.toHaveProperty('byWords'))

  it.each([
    ['{"STATUS":"2","message":"x","STATUS":"1"}', 'unknown'],
    ['{"STATUS":"2","registro":"1","status":"1"}', 'unknown'],
    ['{"registro":"1","linha":{"saldo":1,"SALDO":2}}', 'unknown'],
    ['[{"registro":"1","Registro":"2"}]', 'unknown'],
    ['{"registro":"1","texto":"a \\" b: {","x":{"a":1},"X":{"a":1}}', 'confirmed'],
    ['[{"registro":"1","a":{"n":1},"b":{"n":2},"c":[{"n":3},{"n":4}]}]', 'confirmed'],
    ['{"errorCode":400,"errorMessage":"Lote","ERRORMESSAGE":"Saldo"}', 'unknown'],
  ])('%s: equal keys may say one thing only', (body, outcome) => expect(outcomeOf(200, body).outcome).toBe(outcome))

  it.each([
    'Apontamento incluído com sucesso no lote 12, pendente de efetivação',
    'Apontamento realizado com sucesso, porém bloqueado',
    'Apontamento registrado com sucesso, aguardando aprovação',
    'Apontamento registrado com sucesso e enviado para aprovação',
    'Apontamento gravado com sucesso parcial',
  ])('is not in %j, whatever stands beside it', (message) => {
    expect(outcomeOf(200, { message }).outcome).toBe('unknown')
    expect(outcomeOf(200, { message, registro: '1', ID_INTEGRACAO: OURS }).outcome).toBe('unknown')
    expect(outcomeOf(200, JSON.stringify(message)).outcome).toBe('unknown')
  })

  it.each([
    [{ error: 'Lote bloqueado' }, 'refused'],
    [{ erros: ['x'] }, 'unknown'],
    [{ sucesso: false }, 'unknown'],
    [{ status: 'erro' }, 'unknown'],
    [{ ok: false }, 'unknown'],
    [{ code: 500, message: 'Lote bloqueado' }, 'unknown'],
    [{ items: [] }, 'unknown'],
    [{ status: 'online' }, 'unknown'],
    [{ message: 'Feito' }, 'unknown'],
    [{ registro: '0' }, 'unknown'],
    [{}, 'unknown'],
    [[], 'unknown'],
    [[{ registro: '1' }, { registro: '2' }], 'unknown'],
    ['"ok"', 'unknown'],
    [{ message: 'Em processamento', ID_INTEGRACAO: OURS }, 'unknown'],
    [{ message: `${SAID} Etiqueta na impressora.` }, 'unknown'],
    [{ message: SAID, aviso: 'Estoque a conferir' }, 'unknown'],
    [{ message: 'Apontamento não realizado com sucesso', registro: '1' }, 'unknown'],
    [{ message: 'Registrado sem sucesso' }, 'unknown'],
    [{ message: 'Nenhuma linha gravada com sucesso' }, 'unknown'],
    [{ recebido: { ID_INTEGRACAO: OURS, QTD_REALIZADA: 10 } }, 'unknown'],
    [{ errorCode: 409, errorMessage: 'Apontamento já registrado com sucesso' }, 'unknown'],
  ])('is not in %j', (body, outcome) => expect(outcomeOf(200, body).outcome).toBe(outcome))

  it('is what ERP_CONFIG says, for each operation by itself', () => {
    const confirms = { recordings: { ownId: false, fields: { situacao: ['Aceito'] }, words: ['lançament aceit'] } }
    const by = (body: object) => outcomeOf(200, body, recordCutCrimp, { confirms }).outcome
    expect(by({ SITUACAO: 'aceito ' })).toBe('confirmed')
    expect(by({ message: 'Lancamento aceito.' })).toBe('confirmed')
    expect(by({ registro: '1', ID_INTEGRACAO: OURS, message: SAID })).toBe('unknown')
    expect(by({ SITUACAO: 'Aceito', errorCode: 1 })).toBe('unknown')
  })

  it.each([
    { words: [' '] },
    { words: ['a'] },
    { fields: { '': ['1'] } },
    { fields: { STATUS: [''] } },
    { palavras: [] },
  ])('cannot be configured as %j', (recordings) =>
    expect(ErpSettings.safeParse({ confirms: { recordings } }).success).toBe(false),
  )
})

describe('a refusal', () => {
  it.each([
    [409, { code: '1', message: 'Não' }],
    [200, { message: 'Não', status: '2' }],
    [200, { success: false, message: 'Não' }],
    [400, { errorCode: 400, errorMessage: 'Licença do operador vencida' }],
    [404, { errorCode: 404, errorMessage: 'Ordem de produção encerrada' }],
  ])('%i %j', (status, body) => expect(outcomeOf(status, body)).toMatchObject({ outcome: 'refused' }))
})

describe('what surely was not executed', () => {
  it.each([
    'Server Busy',
    ' server busy.\r\n',
    'Servidor ocupado',
    'Service Unavailable: no license available',
    'no licence available',
    'Sem licença disponível',
  ])('503 %j', (body) => expect(outcomeOf(503, body)).toMatchObject({ outcome: 'not_sent', kind: 'busy' }))

  it.each([
    [500, 'Server Busy'],
    [503, 'Service Unavailable'],
    [503, '<html><body>Sem licença disponível</body></html>'],
    [503, 'Server Busy: 1 apontamento gravado'],
    [503, { errorCode: 503, errorMessage: 'Sem licença disponível' }],
    [503, ''],
  ])('not by %i %j', (status, body) => expect(decisionOf(status, body)).toBe('unknown'))
})

describe('the answer to a receipt', () => {
  it.each([
    [200, { message: 'Item já recebido', Z1_CONFERE: 'S' }, 'Item já recebido'],
    [200, { Z1_CODBAR: '0101621401001000010007' }, 'Recebimento confirmado'],
    [200, [{ Z1_CONFERE: 'S' }], 'Recebimento confirmado'],
    [200, { resultado: 'x' }, 'Recebimento confirmado'],
  ])('%i %j confirms, as any object that is no error', (status, body, message) =>
    expect(receiptOf(status, body)).toEqual({ outcome: 'confirmed', message, erpRecord: null }),
  )

  it.each([
    [200, { errorCode: 400, errorMessage: 'Não' }],
    [200, { success: false, message: 'Não' }],
  ])('%i %j refuses', (status, body) => expect(receiptOf(status, body)).toEqual({ outcome: 'refused', message: 'Não' }))

  it.each([
    [200, ''],
    [200, 'null'],
    [200, '""'],
    [200, 'true'],
    [200, '"Recebido"'],
    [200, 'false'],
    [200, []],
    [200, {}],
    [200, { Z1_CONFERE: 'N' }],
    [200, { Z1_CONFERE: 'S', ID_INTEGRACAO: THEIRS }],
    [200, '<html>Bem-vindo</html>'],
    [500, 'true'],
  ])('%i %j leaves it open', (status, body) => expect(receiptOf(status, body).outcome).toBe('unknown'))
})

describe('a write without an answer', () => {
  it.each([
    [new NotExecuted('unavailable'), { outcome: 'not_sent', kind: 'unavailable' }],
    [new NotExecuted('timeout'), { outcome: 'not_sent', kind: 'unavailable' }],
    [new NotExecuted('busy'), { outcome: 'not_sent', kind: 'busy' }],
    [new NotExecuted('auth'), { outcome: 'not_sent', kind: 'auth' }],
    [failure('timeout'), { outcome: 'unknown', words: null }],
    [failure('unavailable'), { outcome: 'unknown', words: null }],
    [new Error('a mistake of ours'), { outcome: 'unknown', words: null }],
  ])('%s', (error, expected) => expect(outcomeOfError(error)).toMatchObject(expected))
})
