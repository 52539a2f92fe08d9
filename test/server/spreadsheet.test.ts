import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findSpreadsheet } from '../../scripts/programs.mjs'
import type { PlanContent } from '../../src/contract/control-plans.ts'
import type { CrimpHistoryEntry } from '../../src/contract/crimp-counters.ts'
import type { TraceLine } from '../../src/contract/traces.ts'
import { planCsvColumns, readPlanImport } from '../../src/domain/quality/control-plan-imports.ts'
import { traceColumns } from '../../src/domain/reports/traces.ts'
import { csvOf, csvText } from '../../src/domain/text/csv.ts'
import { historyCsv } from '../../src/domain/tools/crimp-counters.ts'
import { addCrimps, insertApplicator } from '../../src/server/store/applicators.ts'
import { addUser, openTestPanel, temporaryFolder } from '../support/harness.ts'

const run = promisify(execFile)

/** As a spreadsheet in Brazil opens it: semicolon, quotes, UTF-8, first line, all columns by themselves, pt-BR. */
const AS_BRAZIL = 'Text - txt - csv (StarCalc):59,34,76,1,,1046,false,true'
/** As a dialog of an import may: comma, tab, bar and blank part cells too, and no quotes hold them together. */
const IN_PIECES = 'Text - txt - csv (StarCalc):59/44/9/124/32,0,76,1,,1046,false,true'

type Cell = { text: string; kind: string; value: string; formula: string | null }

const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? null

const unescapeXml = (text: string) =>
  text
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = '1') => ' '.repeat(Number(count)))
    .replaceAll('<text:tab/>', '\t')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

function cellsOf(row: string): Cell[] {
  const cells = [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)]
  return cells.flatMap(([, tag = '', inner = '']) => {
    const lines = [...inner.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, line]) => unescapeXml(line ?? ''))
    const kind = attribute(tag, 'office:value-type') ?? 'empty'
    const value = attribute(tag, 'office:date-value') ?? attribute(tag, 'office:value') ?? ''
    const cell = { text: lines.join('\n'), kind, value, formula: attribute(tag, 'table:formula') }
    // a repetition of empty cells goes on to the edge of the sheet
    const times = Math.min(Number(attribute(tag, 'table:number-columns-repeated') ?? 1), 10)
    return Array.from({ length: times }, () => cell)
  })
}

/** A file that LibreOffice Calc opens and saves again in another form. */
async function savedByCalc(file: Buffer, form: string, how = AS_BRAZIL): Promise<Buffer> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file.csv'), file)
  const profile = pathToFileURL(join(folder, 'profile'))
  const words = [
    `-env:UserInstallation=${profile}`,
    '--headless',
    `--infilter=${how}`,
    ...['--convert-to', form, '--outdir', join(folder, 'saved'), join(folder, 'file.csv')],
  ]
  await run(findSpreadsheet() ?? 'soffice', words, { env: { ...process.env, LC_ALL: 'pt_BR.UTF-8' } })
  return readFileSync(join(folder, 'saved', `file.${form.split(':')[0]}`))
}

/** What LibreOffice Calc makes of a file, row by row. */
async function openInCalc(file: Buffer, how = AS_BRAZIL): Promise<Cell[][]> {
  const sheet = (await savedByCalc(file, 'fods', how)).toString('utf8')
  const rows = [...sheet.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row]) =>
    cellsOf(row ?? ''),
  )
  return rows.filter((row) => row.some(({ kind }) => kind !== 'empty'))
}

/** A formula that only says that its text is one is none. */
const isText = (formula: string) => /^of:=&quot;(?:(?!&quot;).|&quot;&quot;)*&quot;$/.test(formula)
const formulasIn = (rows: Cell[][]) => rows.flat().filter(({ formula }) => formula !== null && !isText(formula))

/** What a person may type, and what the cell then says. */
const texts: readonly [typed: string, cell: string][] = [
  ['Crimpação à força, São José ÁÉÍÓÚ ãõç', 'Crimpação à força, São José ÁÉÍÓÚ ãõç'],
  ['faca; bigorna; mola', 'faca, bigorna, mola'],
  ['=1+1', "'=1+1"],
  ['=CMD|"/c calc"!A1', '\'=CMD|"/c calc"!A1'],
  ['+55 11 99999-0000', "'+55 11 99999-0000"],
  ['-5', "'-5"],
  ['@SOMA(A1)', "'@SOMA(A1)"],
  ['\t=1+1', "'\t'=1+1"],
  ['de 2" a "3"', 'de 2" a "3"'],
  ['"', '"'],
  ['primeira\nsegunda\r\nterceira', 'primeira segunda terceira'],
  ['primeira\n=1+1', "primeira '=1+1"],
  ["'aspas simples'", "'aspas simples'"],
  ['日本語 😀 ß', '日本語 😀 ß'],
]

test('what would be a formula is one in this spreadsheet, so that the tests below can fail', async () => {
  const rows = await openInCalc(Buffer.from('\uFEFFNome;Valor\r\n=1+1;+55\r\n'))
  expect(formulasIn(rows)).toMatchObject([{ value: '2' }])
})

test('no text is a formula either where other separators part the cells', async () => {
  const hostile = ['a,=1+1', 'a;=1+1', 'a|=1+1', 'a\t=1+1', 'a =1+1', 'a","=1+1', 'a, ,=1+1', 'a\n=1+1', 'a,+1+1']
  const file = csvOf([[csvText(texts[0]?.[0] ?? ''), csvText]], [...texts.slice(1).map(([typed]) => typed), ...hostile])
  expect(formulasIn(await openInCalc(Buffer.from('x,=1+1\r\n'), IN_PIECES))).toHaveLength(1)
  expect(formulasIn(await openInCalc(Buffer.from(file), IN_PIECES))).toEqual([])
})

test('the file of what waits for maintenance opens with every cell as it was meant', async () => {
  const { db, ask, login, context, clock } = await openTestPanel()
  await addUser(context, { username: 'maria' })
  const token = (await login('maria')).token
  // names are one line; they sort as they may
  const names = texts.filter(([typed]) => !/[\t\r\n]/.test(typed))
  for (const [at, [name, cell]] of names.entries()) {
    const unitKey = name.toLocaleLowerCase('pt-BR')
    await db.transaction(async (tx) => {
      await insertApplicator(tx, { terminal: 'T1', miniaplicator: name, at: clock.now() })
      await addCrimps(tx, { recordingId: `sample:${at}`, reason: 'sample', unitKey, crimps: 100_000 + at, at: 1 })
    })
    const url = `/api/crimpagens/${encodeURIComponent(name)}/schedule`
    const comments = texts.find(([, other]) => other === cell)?.[0] ?? ''
    const payload = { miniaplicator: name, serviceOrder: 4711 + at, maintenanceDate: '2026-12-01', comments }
    expect((await ask(token, { method: 'PUT', url, payload })).statusCode, name).toBe(200)
  }
  const [head, ...rows] = await openInCalc((await ask(token, { url: '/api/crimpagens/export-csv' })).rawPayload)
  expect(head?.slice(0, 6).map(({ text }) => text)).toEqual([
    ...[
      'Mini Aplicador',
      'Qtd. Crimpagem',
      'Limite Crimpagens',
      'Ordem de Serviço',
      'Data de Manutenção',
      'Comentários',
    ],
  ])
  expect(formulasIn(rows)).toEqual([])
  expect(rows).toHaveLength(names.length)
  for (const [at, [, cell]] of names.entries()) {
    const row = rows.find(([name]) => name?.text === cell)
    expect(row?.slice(0, 6), cell).toMatchObject([
      { kind: 'string', text: cell },
      { kind: 'float', value: String(100_000 + at) },
      { kind: 'float', value: '100000' },
      { kind: 'float', value: String(4711 + at) },
      { kind: 'date', value: '2026-12-01' },
      { kind: 'string', text: cell },
    ])
  }
})

test('the file of the history opens with every cell as it was meant', async () => {
  const entries = texts.map(
    ([comments], at): CrimpHistoryEntry => ({
      id: at + 1,
      miniaplicator: `MA-${at}`,
      numberOfCrimps: at - 1,
      limitOfCrimps: at === 0 ? -1 : 100_000,
      updateDate: '2026-11-21T18:00:00.000Z',
      serviceOrder: at === 1 ? null : 4711,
      maintenanceDate: at === 1 ? null : '2026-12-01',
      comments,
      change: 'reset',
      changedBy: 'Maria Souza',
      maintenanceRecord: null,
    }),
  )
  const file = historyCsv(entries, () => '21/11/2026 15:00')
  const [head, ...rows] = await openInCalc(Buffer.from(file))
  expect(head?.slice(0, 7).map(({ text }) => text)).toEqual([
    ...['Mini Aplicador', 'Qtd. Crimpagem', 'Limite Crimpagens', 'Data de Alteração'],
    ...['Ordem de Serviço', 'Data de Manutenção', 'Comentários'],
  ])
  expect(formulasIn(rows)).toEqual([])
  const empty = { kind: 'empty' }
  expect(rows.map((row) => row.slice(0, 7))).toMatchObject(
    texts.map(([, cell], at) => [
      { kind: 'string', text: `MA-${at}` },
      { kind: 'float', value: String(at - 1) },
      at === 0 ? { kind: 'string', text: 'Ilimitado' } : { kind: 'float', value: '100000' },
      { kind: 'date', value: '2026-11-21T15:00:00' },
      at === 1 ? empty : { kind: 'float', value: '4711' },
      at === 1 ? empty : { kind: 'date', value: '2026-12-01' },
      { kind: 'string', text: cell },
    ]),
  )
})

test('the file of a trace opens with every digit of its codes, and none of them a day', async () => {
  const barcode = '0101621401001000010007'
  const lots = ['12-11', '007', '1E5', '2" a;b', '=1+1', 'B23-004517/2']
  const line: Omit<TraceLine, 'lote'> = {
    ...{ id: '0', registradoEm: '2026-11-21T18:00:00.000Z', etapa: 'l1', situacao: 'entregue', filial: '010101' },
    ...{ ordem: '01621401001', item: '000010', barras: barcode, posicao: '', pecas: 25, codigo: 'T1326030' },
    ...{ selo: '', seladora: '', miniaplicador: 'MA-1', maquina: 'KX1', operador: 'Maria', forca: 70, alturaMm: 1.1 },
    ...{ forcaMedida: true, alturaMedida: false, relogioMinutos: null, motivoForaDoLimite: '' },
    ...{ forcaMin: null, alturaNominalMm: 1.2, bitolaMilli: 500 },
  }
  const columns = traceColumns(() => '21/11/2026 15:00')
  const lines = lots.map((lote) => ({ ...line, lote }))
  const [, ...rows] = await openInCalc(Buffer.from(csvOf(columns, lines)))
  const heads = columns.map(([head]) => head)
  const at = (head: string) => rows.map((row) => row[heads.indexOf(head)])
  for (const [head, text] of [
    ['Ordem', '01621401001'],
    ['Item', '000010'],
    ['Código de barras', barcode],
  ] as const) {
    expect(at(head)).toMatchObject(lots.map(() => ({ kind: 'string', text })))
  }
  expect(at('Lote').map((cell) => [cell?.kind, cell?.text])).toEqual(
    ['12-11', '007', '1E5', '2" a,b', "'=1+1", 'B23-004517/2'].map((text) => ['string', text]),
  )
  expect(at('Altura (mm)')[0]).toMatchObject({ kind: 'float', value: '1.1' })
  expect(at('Altura nominal (mm)')[0]).toMatchObject({ kind: 'float', value: '1.2' })
  expect(at('Bitola (mm²)')[0]).toMatchObject({ kind: 'float', value: '0.5' })
  expect(at('Força mínima')[0]).toMatchObject({ kind: 'string', text: '-' })
})

test('plans that were exported, opened in this spreadsheet and saved are imported as they went', async () => {
  const names = ['MAR-01', 'SET-02', 'ABR 10', 'FALSO', 'True', '1E5', '12-11', '12/nov', '007', '01621401001', '1.250']
  const hostile = ['=1+1', "'=1", '+55', '-1', '@x', '="x"', 'a;=1', "a, ' +1", '2" a;b', "'", "x '=y"]
  const plans = [...names, ...hostile].map(
    (name, at): PlanContent => ({
      ...{ terminal: name, bitola: 1000 + at, miniaplicador: name, maquina: name, filial: name, forcaMin: 75_500 + at },
      ...{
        altura: { nominal: 1100 + at, menos: 50, mais: 0 },
        leiturasAltura: 3,
        leiturasForca: 5,
        aCadaPecas: 12_000,
      },
      ...{ ultimaPeca: at % 2 === 0, instrumento: `${name}1`, reacao: `${name}; A`, digitadoVale: true },
    }),
  )
  const file = Buffer.from(csvOf(planCsvColumns, plans))
  const { faults, plans: read } = readPlanImport((await savedByCalc(file, `csv:${AS_BRAZIL}`)).toString('utf8'))
  expect(faults).toEqual([])
  expect(read.map(({ plan }) => plan)).toEqual(plans)
})
