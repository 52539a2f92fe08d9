import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { ControlPlan } from '../../src/contract/control-plans.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { PLAN_FILE_BYTES_MAX, PLAN_LINES_MAX, type PlanImport } from '../../src/contract/plan-changes.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertPlans, listPlans } from '../../src/server/store/control-plans.ts'
import { insertInstrument } from '../../src/server/store/instruments.ts'
import { warnOfLookAlikes } from '../../src/server/upkeep/look-alikes.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { openedFile, spreadsheetPrograms } from '../support/spreadsheets.ts'
import { itemOf, keepItem } from '../support/store.ts'
import { uploadHeaders } from '../support/uploading.ts'

const URL = '/api/planos-de-controle'

async function setUp() {
  const panel = await openTestPanel({ env: { LOG_LEVEL: 'warn' } })
  await addUser(panel.context, { username: 'quali', role: 'qualidade', fullName: 'Rita Melo' })
  const { token } = await panel.login('quali')
  const send = async (content: string | Buffer | Readable, search = '') => {
    const url = `${URL}/importacao${search}`
    const payload = typeof content === 'string' ? Buffer.from(content) : content
    const answer = await panel.ask(token, { method: 'POST', url, headers: uploadHeaders, payload })
    const { length } = answer.body
    return { status: answer.statusCode, length, body: answer.json() as PlanImport & ErrorReply }
  }
  const list = async (): Promise<ControlPlan[]> => (await panel.ask(token, { url: URL })).json()
  return { ...panel, token, send, list }
}

const HEAD = 'Terminal;Bitola;Altura nominal;Altura tol. -;Altura tol. +;Força mínima'
/** Of what `HEAD` names, on line 3: line 2 is good. */
const third = (...rest: readonly string[]) => [HEAD, 'T0;0,50;1,100;0,050;0,050;75', rest.join(';')].join('\r\n')

const DECIMAL = 'Esperado um número com até 3 casas, por exemplo 0,50'
const NO_CSV = 'Isto não é um CSV: grave a planilha como CSV (UTF-8).'
const QUOTES = 'Há aspas que não se fecham nesta linha.'
const unknown = (head: string) => `Coluna desconhecida: '${head}'.`

/** What somebody's spreadsheet, editor or mistake makes of a file, and where it is said. */
const wrong: [what: string, content: string | Buffer, line: number, column: string, message: string][] = [
  ['spaces alone', ' \r\n \n', 1, '', 'O arquivo está vazio.'],
  ['separators alone', ';;;;\r\n;;;;', 1, '', 'O arquivo está vazio.'],
  ['a mark of the byte order alone', '\uFEFF', 1, '', 'O arquivo está vazio.'],
  ['a head alone', HEAD, 1, '', 'O arquivo só tem os nomes das colunas.'],
  ['no head', 'T1;0,50;1,100;0,050;0,050;75', 1, '', unknown('T1')],
  [
    'a text below no head',
    `${HEAD};;\r\nT1;0,50;1,100;0,050;0,050;75;;x`,
    2,
    '',
    'A coluna 8 tem texto aqui e não tem nome na primeira linha.',
  ],
  ['a head twice', `${HEAD};TERMINAL\r\nT1;0,50`, 1, '', 'A mesma coluna está duas vezes.'],
  ['a head twice but for its accents', `${HEAD};Forca minima\r\nT1;0,50`, 1, '', 'A mesma coluna está duas vezes.'],
  ['no column of the gauge', 'Terminal;Força mínima\r\nT1;75', 1, '', 'Falta a coluna Bitola.'],
  ['a column of a day', `${HEAD};Vale a partir de\r\nT1;0,5;;;;75;2026-13-45`, 1, '', unknown('Vale a partir de')],
  ['bars between the columns', 'Terminal|Bitola\nT1|0,5', 1, '', unknown('Terminal|Bitola')],
  ['a page', '<html><body>Erro 500</body></html>', 1, '', unknown('<html><body>Erro 500</body></html>')],
  ['a head without an end', 'A'.repeat(PLAN_FILE_BYTES_MAX), 1, '', unknown(`${'A'.repeat(60)}…`)],
  ['UTF-16 without a mark', Buffer.from(`${HEAD}\r\nT1;0,5;;;;75`, 'utf16le'), 1, '', NO_CSV],
  ['a workbook', Buffer.from('504b030414000600080000002100', 'hex'), 1, '', NO_CSV],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae10000000000', 'hex'), 1, '', NO_CSV],
  ['a NUL in a cell', third('T1\u0000', '0,5', '', '', '', '75'), 1, '', NO_CSV],
  [
    'an escape sequence',
    third('\u001B[31mT1', '0,5', '', '', '', '75'),
    3,
    'Terminal',
    'Caracteres de controle não são aceitos',
  ],
  ['a lone quote', third('T1"', '"', '', '', '', '75'), 3, '', QUOTES],
  ['a quote that stays open', third('"T1', '0,5', '', '', '', '75'), 3, '', QUOTES],
  ['text behind a closed quote', third('"T1"x', '0,5', '', '', '', '75'), 3, '', QUOTES],
  [
    'a line break in a name',
    third('"T1\r\nT2"', '0,5', '', '', '', '75'),
    3,
    'Terminal',
    'Esta célula tem duas linhas.',
  ],
  ['a quote that takes in a line', third('"T1', '0,5', '', '', '', '75\r\nT2";0,5;;;;75'), 3, '', QUOTES],
  ['a cell too many', third('T1', '0,5', '', '', '', '75', '76'), 3, '', 'São esperadas 6 colunas, e aqui há 7.'],
  ['a comma that separates', third('T1,0,5', '', '', '', '', '75'), 3, 'Bitola', 'Campo obrigatório'],
  ['no terminal', third('', '0,5', '', '', '', '75'), 3, 'Terminal', 'Campo obrigatório'],
  [
    'a tab in a name',
    third('"T\t1"', '0,5', '', '', '', '75'),
    3,
    'Terminal',
    'Caracteres de controle não são aceitos',
  ],
  [
    'a name without an end',
    third('T'.repeat(100_000), '0,5', '', '', '', '75'),
    3,
    'Terminal',
    'Texto longo demais (máximo 255)',
  ],
  ['four decimals', third('T1', '0,5000', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['two commas', third('T1', '0,5,0', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['a comma and a dot', third('T1', '1,000.5', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['a unit', third('T1', '0,5 mm²', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['a gauge of another country', third('T1', 'AWG 20', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['a day that a spreadsheet made of a number', third('T1', '05/jan', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['nothing of nothing', third('T1', '0,000', '', '', '', '75'), 3, 'Bitola', DECIMAL],
  ['a number as large as none', third('T1', '0,5', '', '', '', '9'.repeat(400)), 3, 'Força mínima', DECIMAL],
  ['a power of ten', third('T1', '0,5', '1,1E+00', '0,05', '0,05', ''), 3, 'Altura nominal', DECIMAL],
  ['an error of a formula', third('T1', '0,5', '#REF!', '0,05', '0,05', ''), 3, 'Altura nominal', DECIMAL],
  ['a formula for a number', third('T1', '0,5', '=1+1', '0,05', '0,05', ''), 3, 'Altura nominal', DECIMAL],
  ['no number', third('T1', '0,5', 'NaN', '0,05', '0,05', ''), 3, 'Altura nominal', DECIMAL],
  ['no end of numbers', third('T1', '0,5', '', '', '', 'Infinity'), 3, 'Força mínima', DECIMAL],
  ['a tolerance with a sign', third('T1', '0,5', '1,1', '-0,05', '0,05', ''), 3, 'Altura tol. -', DECIMAL],
  [
    'half a tolerance',
    third('T1', '0,5', '1,1', '0,05', '', ''),
    3,
    'Altura tol. +',
    'Preencha nominal e as duas tolerâncias, ou nenhuma',
  ],
  [
    'a tolerance down to nothing',
    third('T1', '0,5', '1,1', '1,1', '0,05', ''),
    3,
    'Altura tol. -',
    'A tolerância é maior que o nominal',
  ],
  [
    'nothing to ask for',
    third('T1', '0,5', '', '', '', ''),
    3,
    'Altura nominal',
    'Informe ao menos a altura ou a força mínima',
  ],
  ['the same plan twice', third('t0 ', '0.500', '', '', '', '80'), 3, 'Terminal', 'O mesmo plano já está na linha 2.'],
  [
    'a line too many',
    `${HEAD}${'\nT1;0,5;;;;75'.repeat(PLAN_LINES_MAX + 1)}`,
    PLAN_LINES_MAX + 2,
    '',
    'São no máximo 5.000 linhas por arquivo.',
  ],
]

test('however wrong a file is, it is refused by line, column and a sentence, and nothing of it is stored', async () => {
  const { send, list, db } = await setUp()
  const SHORT = 500
  for (const [what, content, linha, campo, mensagem] of wrong) {
    const shown = await send(content, '?simular=sim')
    expect([shown.status, shown.body.erros], what).toEqual([200, [{ linha, campo, mensagem }]])
    const field = campo === '' ? `Linha ${linha}` : `Linha ${linha}, ${campo}`
    const message = 'Nenhum plano foi importado. Linhas com problema: 1.'
    const refused = await send(content)
    expect([refused.status, refused.body], what).toEqual([
      400,
      { code: 'plans_refused', message, details: [{ field, message: mensagem }] },
    ])
    expect([shown.length < SHORT, refused.length < SHORT], what).toEqual([true, true])
  }
  for (const [content, code] of [
    ['', 'upload_empty'],
    [Buffer.alloc(PLAN_FILE_BYTES_MAX + 1, `${HEAD}\n`), 'upload_too_large'],
    // nobody has said how long it is
    [Readable.from([Buffer.alloc(PLAN_FILE_BYTES_MAX), Buffer.from('x')]), 'upload_too_large'],
  ] as const)
    expect((await send(content)).body).toEqual({ code, message: expect.any(String) })
  expect(await list()).toEqual([])
  const noted = await db.read.selectFrom('audit_entries').select('action').execute()
  expect(noted.filter(({ action }) => action === 'plans_imported')).toEqual([])
})

test('of many faults the first are listed and all are counted', async () => {
  const { send } = await setUp()
  const content = `${HEAD}${'\n;x;;;;'.repeat(PLAN_LINES_MAX)}`
  const [shown, refused] = [await send(content, '?simular=sim'), await send(content)]
  expect([shown.body.comErro, shown.body.erros.length, refused.body.details?.length]).toEqual([5000, 200, 20])
  expect(refused.body.message).toBe('Nenhum plano foi importado. Linhas com problema: 5000.')
})

/** What only CP1252 has at these places, too. */
const REACTION = 'Parar – chamar “qualidade”; não soltar (custa 5 €)'
const ROWS = [
  ['T1326030', '0,50', '1,100', '0,050', '0,050', '75', REACTION],
  ['=A1', '0,75', '', '', '', '80,5', ''],
]
const NAMES = [...HEAD.split(';'), 'Plano de reação']
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** No encoder of Node's writes it. */
const cp1252 = (text: string) =>
  Buffer.from(
    [...text].map((letter) => ({ '–': 0x96, '“': 0x93, '”': 0x94, '€': 0x80 })[letter] ?? letter.charCodeAt(0)),
  )
/** Texts in quotes where they need some, CRLF. */
const excel = [NAMES, ...ROWS]
  .map((row) => row.map((cell) => (cell.includes(';') ? quoted(cell) : cell)).join(';'))
  .join('\r\n')
/** Commas between the columns, and so quotes around each decimal; LF. */
const libreOffice = [NAMES, ...ROWS]
  .map((row) => row.map((cell) => (/[,";]/.test(cell) ? quoted(cell) : cell)).join(','))
  .join('\n')

test.each([
  ['Excel, CP1252', cp1252(excel)],
  ['Excel, UTF-8 with its mark', Buffer.from(`\uFEFF${excel}`)],
  ['LibreOffice, UTF-8', Buffer.from(`${libreOffice}\n`)],
  [
    'LibreOffice, every text in quotes',
    Buffer.from([NAMES, ...ROWS].map((row) => row.map(quoted).join(';')).join('\n')),
  ],
])('a file says the same as %s writes it', async (_, bytes) => {
  const { send, list } = await setUp()
  expect((await send(bytes)).body).toMatchObject({ linhas: 2, novas: 2, comErro: 0 })
  const plans = await list()
  const contents = plans.map(({ terminal, bitola, altura, forcaMin, reacao }) => [
    terminal,
    bitola,
    altura,
    forcaMin,
    reacao,
  ])
  expect(contents.toSorted()).toEqual([
    ['=A1', 750, undefined, 80_500, undefined],
    ['T1326030', 500, { nominal: 1100, menos: 50, mais: 50 }, 75_000, REACTION],
  ])
})

test('an export that is imported unchanged makes no version of any plan', async () => {
  const { send, list, ask, token } = await setUp()
  const reactions = ['Parar; chamar a qualidade', '=1+1 é demais', "'- não soltar", 'True', 'a;=b', '2" de folga']
  for (const [at, reacao] of reactions.entries()) {
    const limits = { forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }
    const payload = { terminal: `MAR-0${at}`, bitola: 500, instrumento: `=${at}`, reacao, ...limits }
    expect((await ask(token, { method: 'POST', url: URL, payload })).statusCode, reacao).toBe(201)
  }
  const before = await list()
  const file = (await ask(token, { url: `${URL}/csv` })).rawPayload
  for (const program of Object.values(spreadsheetPrograms)) {
    const saved = program(openedFile(file.toString('utf8')))
    expect((await send(saved)).body).toMatchObject({ linhas: 6, novas: 0, alteradas: 0, iguais: 6, comErro: 0 })
  }
  expect((await send(file)).body).toMatchObject({ iguais: 6 })
  expect(await list()).toEqual(before)
})

const CHANGED = ['1,32603E+11', '#REF!', '12/nov', 'VERDADEIRO']
const excelText = (cell: string) =>
  `O Excel trocou este nome? Aqui está '${cell}'. Formate a coluna como texto e escreva o nome de novo.`

test('a cell that a spreadsheet has made of a name is refused in every column of names, unless that is a name here', async () => {
  const { send, db, ask, token, clock } = await setUp()
  const named = [HEAD, ...CHANGED.map((cell) => `${cell};0,50;1,10;0,05;0,05;70`), 'TPUB6;0,50;46.032;0,05;0,05;70']
  expect((await send(named.join('\r\n'), '?simular=sim')).body).toMatchObject({
    ...{ linhas: 5, novas: 0, comErro: 5, terminaisDesconhecidos: 0 },
    erros: [
      ...CHANGED.map((cell, at) => ({ linha: at + 2, campo: 'Terminal', mensagem: excelText(cell) })),
      { linha: 6, campo: 'Altura nominal', mensagem: '46.032: escreva 46032 ou 46,032' },
    ],
  })
  const columns = ['Mini aplicador', 'Máquina', 'Instrumento', 'Plano de reação']
  for (const campo of columns) {
    const content = `Terminal;Bitola;Força mínima;${campo}\nT1;0,5;75;FALSO`
    const { erros } = (await send(content, '?simular=sim')).body
    expect(erros).toEqual([{ linha: 2, campo, mensagem: excelText('FALSO') }])
  }
  // a plan, a pair, an instrument and an order give names as people do
  const limits = { forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }
  await ask(token, { method: 'POST', url: URL, payload: { terminal: '12/nov', bitola: 500, ...limits } })
  const instrument = { codigo: '#REF!', descricao: '', ativo: true, resolucao: 1 }
  await db.transaction(async (tx) => {
    await insertApplicator(tx, { terminal: 'VERDADEIRO', miniaplicator: 'FALSO', at: clock.now() })
    await insertInstrument(tx, instrument)
  })
  await keepItem(db, { ...itemOf('0101621401001000010007', 10), Z1_TERML2: '1,32603E+11' })
  clock.advance(1000)
  const { body } = await send(named.slice(0, -1).join('\r\n'), '?simular=sim')
  expect(body).toMatchObject({ novas: 3, alteradas: 1, comErro: 0, terminaisDesconhecidos: 0 })
  const strangers = ['T7;0,50;;;;75', 'T7;0,75;;;;75', 'T8;0,50;;;;75', 'VERDADEIRO;0,50;;;;75']
  expect((await send([HEAD, ...strangers].join('\n'), '?simular=sim')).body.terminaisDesconhecidos).toBe(2)
})

test('plans whose names only look alike are one place: in the form, in a file, in the log of the start', async () => {
  const { send, list, ask, token, db, clock, context, logs } = await setUp()
  const limits = { forcaMin: 75_000, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false, digitadoVale: true }
  const plan = { bitola: 500, ...limits }
  const create = (terminal: string) => ask(token, { method: 'POST', url: URL, payload: { terminal, ...plan } })
  const turned = (await create('T\u202E1')).json<ErrorReply>()
  expect(turned.details).toMatchObject([{ message: expect.stringContaining('marcas de direção') }])
  expect((await create('KB\u00A077\u200B')).json<ControlPlan>().terminal).toBe('KB 77')
  clock.advance(1000)
  expect((await create('K\u00ADB 77')).json<ErrorReply>().code).toBe('plan_overlaps')
  // of a version before: its key stays as it is, and a file means it
  const old = { plan: { terminal: 'TPU\u200B9', ...plan }, version: 1, from: clock.now() }
  await db.transaction((tx) => insertPlans(tx, [old]))
  clock.advance(1000)
  const file = (await ask(token, { url: `${URL}/csv` })).body
  expect((await send(file)).body).toMatchObject({ novas: 0, alteradas: 0, iguais: 2, comErro: 0 })
  expect((await send(`${HEAD}\nTPU9;0,50;;;;80`)).body).toMatchObject({ novas: 0, alteradas: 1 })
  expect(new Set((await list()).map(({ terminal }) => terminal))).toEqual(new Set(['KB 77', 'TPU\u200B9']))
  expect(await listPlans(db.read, { terminal: 'KB\u00A077' })).toHaveLength(1)
  // two that stand there already are for a person to decide
  await warnOfLookAlikes(context)
  expect(logs.join()).not.toContain('look alike')
  await db.transaction((tx) => insertPlans(tx, [{ ...old, plan: { terminal: 'TPU9', ...plan } }]))
  await warnOfLookAlikes(context)
  expect(logs.join()).toContain('plans in force look alike')
  const twice = (await ask(token, { url: `${URL}/csv` })).body
  const { erros } = (await send(twice, '?simular=sim')).body
  expect(erros).toMatchObject([{ linha: 4, campo: 'Terminal', mensagem: 'O mesmo plano já está na linha 3.' }])
})
