import { expect, test } from 'vitest'
import { readUserImport } from '../people/user-imports.ts'
import { readPlanImport } from '../quality/control-plan-imports.ts'
import { csvTextOf, readTable } from './csv-tables.ts'

const PLANS = [
  ['Terminal', 'Bitola', 'Altura nominal', 'Altura tol. -', 'Altura tol. +', 'Força mínima', 'Plano de reação'],
  ['KB 77', '0,50', '1,10', '0,05', '0,05', '70', 'Pare a prensa. Chame a qualidade.'],
  ['KL1', '0,75', '', '', '', '80', ''],
]
const USERS = [
  ['nome', 'usuario', 'papel', 'senha'],
  ['João Dias', 'joao.dias', 'operador', 'h7k-m2p-x3wq'],
  ['Ana "Nina" Lima; líder', 'ana', 'consulta', ''],
]

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const written = (rows: string[][], separator = ';', end = '\r\n') =>
  rows.map((row) => row.map((cell) => (/["\n;,\t]/.test(cell) ? quoted(cell) : cell)).join(separator)).join(end)
const widened = (rows: string[][], more: string[]) => rows.map((row) => [...row, ...more])
const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** Without what is empty at the end of a line. */
const shortened = (rows: string[][]) => rows.map((row) => row.slice(0, 1 + row.findLastIndex((cell) => cell !== '')))
const inner = (rows: string[][]) => rows.map(([first = '', ...rest]) => [first, '', ...rest, ''])

const shapes: [what: string, write: (rows: string[][]) => string | Buffer][] = [
  ['UTF-8', (rows) => written(rows)],
  ['UTF-8 with a mark', (rows) => `\uFEFF${written(rows)}`],
  ['UTF-8 with the mark of two programs', (rows) => `\uFEFF\uFEFF${written(rows)}`],
  ['CP1252', (rows) => latin1(written(rows))],
  ['UTF-16 with tabs, as text in Unicode', (rows) => Buffer.from(`\uFEFF${written(rows, '\t')}`, 'utf16le')],
  ['UTF-16 the other way', (rows) => Buffer.from(`\uFEFF${written(rows)}`, 'utf16le').swap16()],
  ['commas', (rows) => written(rows, ',', '\n')],
  ['lines of an old Macintosh', (rows) => written(rows, ';', '\r')],
  ['every cell in quotes', (rows) => rows.map((row) => row.map(quoted).join(';')).join('\n')],
  [
    'blanks around quotes',
    (rows) => rows.map((row) => row.map((cell) => ` ${quoted(cell)}\u00A0`).join(';')).join('\n'),
  ],
  ['sep=', (rows) => `sep=;\r\n${written(rows)}`],
  ['sep= behind a mark, of commas', (rows) => `\uFEFFsep=,\r\n${written(rows, ',')}`],
  ['sep= of tabs', (rows) => `sep=\t\r\n${written(rows, '\t')}`],
  ['sep= of bars, in capitals', (rows) => `SEP=|\r\n${written(rows, '|')}`],
  ['sep= in quotes', (rows) => `"sep=;"\r\n${written(rows)}`],
  ['sep= followed by separators', (rows) => `sep=;;;;\r\n${written(rows)}`],
  ['sep= in quotes that another program saved with commas', (rows) => `"sep=;",,,\r\n${written(rows, ',')}`],
  ['sep= without its separator, as a program cut it off', (rows) => `sep=\r\n${written(rows)}`],
  ['sep= behind a blank line', (rows) => `\r\nsep=;\r\n${written(rows)}`],
  ['empty columns at the end', (rows) => written(widened(rows, ['', '', '']))],
  ['an empty column within', (rows) => written(inner(rows))],
  ['empty cells left out at the end of lines', (rows) => written(shortened(rows))],
  ['a blank first line', (rows) => `\r\n${written(rows)}`],
  ['a first line of separators', (rows) => `;;;;\r\n${written(rows)}`],
  [
    'blank lines between and behind',
    (rows) => `${written(rows, ';', '\r\n;;\r\n \r\n')}\r\n\u00A0;;\r\n"";"";\r\n\r\n`,
  ],
  [
    'two lines in a name of a column',
    ([head = [], ...rows]) => written([head.map((name) => name.replace(' ', '\n')), ...rows]),
  ],
  [
    'hard and double blanks in a name of a column',
    ([head = [], ...rows]) => written([head.map((name) => name.replace(' ', '\u00A0 ')), ...rows]),
  ],
  ['the end of file of DOS', (rows) => `${written(rows)}\r\n\u001A`],
  ['the end of file of DOS up to a block', (rows) => `${written(rows)}\u001A\u001A\u001A\u0000`],
]

const readPlans = (file: string | Buffer) => {
  const { plans, faults } = readPlanImport(csvTextOf(Buffer.from(file), TextDecoder))
  return { plans: plans.map(({ plan }) => plan), faults }
}
const readUsers = (file: string | Buffer) => {
  const { users, faults } = readUserImport(csvTextOf(Buffer.from(file), TextDecoder))
  return { users: users.map(({ line: _, ...user }) => user), faults }
}

test.each(shapes)('a table is read by every import where it has %s', (_, write) => {
  const [plans, users] = [readPlans(written(PLANS)), readUsers(written(USERS))]
  expect([plans.plans.length, users.users.length, plans.faults, users.faults]).toEqual([2, 2, [], []])
  expect(readPlans(write(PLANS))).toEqual(plans)
  expect(readUsers(write(USERS))).toEqual(users)
})

/** What programs put between two lines of one cell: a word processor, a database, a page, an old mainframe. */
const softBreaks = { 'a vertical tab': '\v', 'a form feed': '\f', NEL: '\u0085', 'a line separator': '\u2028' }

test.each(Object.entries(softBreaks))('two lines that %s parts are two lines', (_, sign) => {
  const [head = [], first = []] = PLANS
  const within = (cell: string) => cell.replace(' ', sign)
  const reaction = written([head.map(within), [...first.slice(0, -1), first.at(-1)?.replace('. ', `.${sign}`) ?? '']])
  expect(readPlans(reaction)).toEqual({ ...readPlans(written(PLANS.slice(0, 2))), faults: [] })
  const { faults, plans } = readPlanImport(written([head, [`T1${sign}T2`, ...first.slice(1)], PLANS[2] ?? []]))
  expect(faults).toEqual([{ line: 2, column: 'terminal', message: 'Esta célula tem duas linhas.' }])
  expect(plans.map(({ plan }) => plan.terminal)).toEqual(['KL1'])
})

test('a sign that is no letter is refused by its cell, and the other lines are read', () => {
  for (const sign of ['\u001D', '\u001B[31m', '\u0002']) {
    const { faults, plans } = readPlanImport(`Terminal;Bitola;Força mínima\nT${sign}1;0,5;75\nT2;0,5;75`)
    expect(faults).toEqual([{ line: 2, column: 'terminal', message: 'Caracteres de controle não são aceitos' }])
    expect(plans).toMatchObject([{ line: 3, plan: { terminal: 'T2' } }])
    expect(readUserImport(`nome;usuario;papel\nR${sign}ui;rui;operador`).faults).toEqual([
      { line: 2, message: 'nome: Caracteres de controle não são aceitos' },
    ])
  }
})

test('letters that an encoding has taken are refused by their cell, unless that is a name here', () => {
  const names = ['CONEXÃO', 'PEÇA À PARTE', 'Joãozinho', 'Ímã “forte”', 'Ácido', '5 °C – 2 µm']
  const utf8 = (text: string) => Buffer.from(text)
  const refused = (content: string | Buffer) => {
    const { faults, suspects } = readPlanImport(csvTextOf(Buffer.from(content), TextDecoder))
    return [...faults, ...suspects].map(({ line, column }) => [line, column])
  }
  const readAgain = (text: string) => new TextDecoder('windows-1252').decode(utf8(text))
  for (const name of names) {
    const lines = (of: string) => `Terminal;Bitola;Forca minima\r\n${of};0,5;75`
    // saved as UTF-8, opened as CP1252 and saved again
    expect(refused(lines(readAgain(name))), name).toEqual([[2, 'terminal']])
    // two files in one, as a command joins them
    const joined = Buffer.concat([utf8(`${lines(name)}\r\n`), latin1('AÇO;0,5;75')])
    expect(readPlans(joined).plans.at(-1)).toMatchObject({ terminal: 'AÇO' })
    expect(refused(joined), name).toEqual([[2, 'terminal']])
    // read by a program that put a sign for what it did not know
    const lost = new TextDecoder().decode(latin1(name.replace(/[“”–]/g, 'é')))
    expect(refused(lines(lost)), name).toEqual([[2, 'terminal']])
    expect(readUserImport(`nome;usuario;papel\n${readAgain(name)};rui;operador`).faults).toEqual([
      { line: 2, message: expect.stringMatching(/^nome: As letras com acento se perderam\? Aqui está '/) },
    ])
    expect(refused(lines(name))).toEqual([])
  }
  for (const name of [
    'ÍMÃ DE FERRO',
    'MAÇÃ',
    'LÃ',
    'Âncora',
    'AÇÃO º',
    'CORAÇÃO',
    'ÂMBAR ½',
    'D’Água',
    'Parar—chamar',
    'Kjær',
    'nota † e ‡',
    '5€',
  ])
    expect(refused(`Terminal;Bitola;Força mínima\n${name};0,5;75`), name).toEqual([])
})

/** Letters in the encodings of two other lines of a spreadsheet's 'Save as': CSV (MS-DOS) and CSV (Macintosh). */
const otherEncodings = {
  'MS-DOS': { ã: 0xc6, ç: 0x87, é: 0x82, í: 0xa1, ó: 0xa2, ê: 0x88, Ç: 0x80, É: 0x90, Ã: 0xc7 },
  Macintosh: { ã: 0x8b, ç: 0x8d, é: 0x8e, í: 0x92, ó: 0x97, ê: 0x90, Ç: 0x82, É: 0x83, Ã: 0xcc },
}

test.each(Object.entries(otherEncodings))(
  'a file saved as CSV (%s) is refused by the cells that say so',
  (_, bytes) => {
    const encoded = (text: string) =>
      Buffer.from([...text].map((letter) => (bytes as Record<string, number>)[letter] ?? letter.charCodeAt(0)))
    for (const name of ['João Dias', 'José', 'Conceição', 'PEÇA 12', 'CAFÉ', 'Tania Gonçalves']) {
      const { users, faults } = readUserImport(
        csvTextOf(encoded(`nome;usuario;papel\r\n${name};rui;operador`), TextDecoder),
      )
      expect([users, faults], name).toEqual([
        [],
        [{ line: 2, message: expect.stringMatching(/^nome: As letras com acento se perderam\?/) }],
      ])
    }
  },
)

test('a line has the number that an editor shows, whatever stands before it', () => {
  const content = `sep=;\r\n\r\n"Terminal";"Plano de\nreação";Bitola;Força mínima\r\nT1;"a\r\nb";0,5;75\r\n;;x;75`
  const { plans, faults } = readPlanImport(content)
  expect(plans).toMatchObject([{ line: 5, plan: { terminal: 'T1', reacao: 'a b' } }])
  expect(faults.map(({ line }) => line)).toEqual([7, 7])
})

test('a line break within a name is refused by its cell, one at its end is none', () => {
  const file = (name: string) => readPlanImport(`Terminal;Bitola;Força mínima\n"${name}";0,5;75`)
  expect(file('T1\r\nT2').faults).toEqual([{ line: 2, column: 'terminal', message: 'Esta célula tem duas linhas.' }])
  expect(file('T1\n').plans).toMatchObject([{ plan: { terminal: 'T1' } }])
})

test('a quote that stays open takes in no line silently', () => {
  const lines = ['Terminal;Bitola;Força mínima', '"T1;0,5;75', 'T2;0,5;75', 'T3";0,5;75', 'T4;0,5;75']
  expect(readPlanImport(lines.join('\n'))).toMatchObject({
    plans: [],
    faults: [{ line: 2, message: 'Há aspas que não se fecham nesta linha.' }],
  })
})

test('of 100,000 characters in an open quote, or of quotes alone, it is said at once', () => {
  const kind = {
    ...{ columnOf: () => 'a' as const, nameOf: () => 'a', required: [], texts: [], hint: '' },
    linesMax: { count: 1, message: '' },
  }
  for (const content of [`"${'a'.repeat(100_000)}`, '"'.repeat(100_001), `a\n${'"a\n'.repeat(33_333)}`]) {
    expect(readTable(content, kind).faults, content.slice(0, 5)).toMatchObject([{ column: null }])
  }
})
