import { describe, expect, it } from 'vitest'
import type { FieldError } from '../../contract/errors.ts'
import type { JunctionRecording } from '../../contract/junctions.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { ApiError, isEndOfSession, Unreachable } from '../server/api.ts'
import { refusalWords, refusedField } from './refusal-words.ts'
import { isDefinitive, pauseOf, problemOf } from './send.ts'

const refusedWith = (status: number, code = 'some_refusal') => new ApiError(status, { message: 'Não', code })

describe('a frozen recording', () => {
  it.each([400, 403, 404, 409, 422])('is given up when the server refuses it with %i', (status) => {
    expect(isDefinitive(refusedWith(status))).toBe(true)
  })

  it.each([401, 408, 413, 429, 500, 502, 503, 504])('is kept when the answer is %i', (status) => {
    expect(isDefinitive(refusedWith(status))).toBe(false)
  })

  it('is kept when nobody answered, or a proxy did in its own words', () => {
    expect(isDefinitive(new Unreachable(new TypeError('Failed to fetch')))).toBe(false)
    expect(isDefinitive(refusedWith(404, 'http_404'))).toBe(false)
    // a server of the version before, of a kind that it does not know
    expect(isDefinitive(refusedWith(404, 'not_found'))).toBe(false)
  })

  it('is kept when a server of an older version does not know its fields, and given up when it knows a wrong one', () => {
    const invalid = (...details: FieldError[]) =>
      new ApiError(400, { message: 'Dados inválidos', code: 'input_invalid', details })
    const unknown = { field: 'captura.turno', message: 'Campo desconhecido', isUnknown: true } as const
    const wrong = { field: 'FORCA_LD1', message: 'Valor abaixo do mínimo (1)' }
    expect(isDefinitive(invalid(unknown, unknown))).toBe(false)
    expect([invalid(unknown, wrong), invalid(wrong), invalid()].map(isDefinitive)).toEqual([true, true, true])
  })
})

describe('what the server cannot take yet', () => {
  const late = (code: string, retryAfter: string | null, status = 429) =>
    new ApiError(status, { message: 'Espere', code }, retryAfter)

  it('waits as long as the server says, and holds up nothing else where it is one sort of one person', () => {
    expect(pauseOf(late('too_many_of_person', '3'))).toEqual({ ms: 3000, isOfDevice: false })
    expect(pauseOf(late('too_many_deliveries', '7'))).toEqual({ ms: 7000, isOfDevice: true })
    // of a version to come, or of a proxy
    expect(pauseOf(late('http_429', '7'))).toEqual({ ms: 7000, isOfDevice: true })
    expect(isDefinitive(late('too_many_of_person', '3'))).toBe(false)
  })

  it('is tried again in its turn where the server names no time', () => {
    const others = [late('too_many_deliveries', null), late('overloaded', '2', 503), new Unreachable(null), null]
    expect(others.map(pauseOf)).toEqual([null, null, null, null])
  })
})

const crimp: CutCrimpRecording = {
  EMPRESA: '010101',
  ORDEM_PROD: '01621401001',
  QTD_ORDEM_PROD: 120,
  QTD_REALIZADA: 10,
  COD_BARRA: '0101621401001000010007',
  MAQUINA: 'PR0001 - Schäfer',
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'B23-004517/2',
  MA_LD1: 'MA-0001',
}

describe('what the server would never take is said before it is kept', () => {
  it.each([
    [{ ALTURA_LD1: 1340 }, 'Erro: Altura de crimpagem: Valor acima do máximo (1000)', 'height'],
    [{ FORCA_LD1: 100_001 }, 'Erro: Força de extração: Valor acima do máximo (100000)', 'force'],
    [{ LOTE_TERM_LD1: 'a;b' }, "Erro: Lote: Use '/' no lugar de ';'", 'lot'],
    [{ MAQUINA: 'x'.repeat(121) }, 'Erro: Máquina: Texto longo demais (máximo 120)', 'machine'],
    [{ TERM_LD1: '' }, 'Erro: TERM_LD1: Campo obrigatório', null],
  ])('%o', (change, text, field) => {
    expect(problemOf({ payload: { ...crimp, ...change } })).toEqual({ text, field })
  })
  it('all is well', () => expect(problemOf({ payload: crimp })).toBeNull())
  it('a badge is nobody’s text, whatever stands around it', () => {
    expect(problemOf({ payload: { ...crimp, LOTE_TERM_LD1: ']C0PIC-000000000' } })).toEqual({
      text: 'Erro: Lote: isto é um crachá',
      field: 'lot',
    })
  })
})

it('a refusal names the fields that it is about, as the form does', () => {
  const message = 'Dados inválidos. Verifique os campos.'
  const details = [
    { field: 'ALTURA_LD1', message: 'Valor acima do máximo (1000)' },
    { field: 'LOTE_TERM_LD1', message: 'Campo obrigatório' },
  ]
  const invalid = new ApiError(400, { message, code: 'input_invalid', details })
  expect(refusalWords(invalid)).toBe(
    `${message} Altura de crimpagem: Valor acima do máximo (1000). Lote: Campo obrigatório.`,
  )
  expect(refusedField(invalid)).toBe('height')
  expect(refusalWords(new ApiError(409, { message: 'Não', code: 'section_complete' }))).toBe('Não')
})

it.each([
  ['quantity_exceeds_balance', 'quantity'],
  ['quantity_exceeds_junction', 'quantity'],
  ['section_complete', null],
])('where the form says %s', (code, field) => {
  expect(refusedField(new ApiError(409, { message: 'Não', code }))).toBe(field)
})

it('a junction and a receipt have their own bounds', () => {
  const junction: JunctionRecording = {
    FILIAL: '010101',
    NUMERO_OP: '01621401001',
    TIPO_REGISTRO: 'JUNCAO',
    POSICAO: 'J02',
    QTD_PECAS: 120,
    QTD_APONTADA: 10,
    DATA: '2026-11-21',
    FORCA: 115,
    MAQUINA: 'US0001 - Telsonic',
    GRUPO_MP: 'M500US01',
  }
  expect(problemOf({ kind: 'junction', payload: junction })).toBeNull()
  const wordsOf = (payload: JunctionRecording) => problemOf({ kind: 'junction', payload })?.text
  expect(wordsOf({ ...junction, QTD_APONTADA: 0 })).toBe('Erro: Quantidade de peças: Valor abaixo do mínimo (1)')
  expect(wordsOf({ ...junction, GRUPO_MP: 'TERMINAIS' })).toMatch(/Campo obrigatório$/)
  expect(problemOf({ kind: 'receipt', payload: { filial: '010101', codigoBarras: crimp.COD_BARRA } })).toBeNull()
  expect(problemOf({ kind: 'receipt', payload: { filial: '010101', codigoBarras: '1' } })?.text).toMatch(
    /22 caracteres$/,
  )
})

it('only our own server ends a session', () => {
  expect([refusedWith(401), refusedWith(403)].map(isEndOfSession)).toEqual([true, true])
  const others = [refusedWith(401, 'http_401'), refusedWith(403, 'http_403'), refusedWith(503), new TypeError('x')]
  expect(others.map(isEndOfSession)).toEqual([false, false, false, false])
})
