import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import { type ErpSimulatorOptions, startErpSimulator } from '../../demo/simulator/simulator.ts'
import { type CheckedCall, type CheckOptions, checkErp } from '../../src/server/erp/check/check.ts'
import type { Finding } from '../../src/server/erp/check/findings.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { writeSecrets } from '../../src/server/upkeep/installation-settings.ts'
import { type Certificate, makeCertificate, startTlsServer } from '../support/certificates.ts'
import { erpAccess, ORDER, PASSWORD, UNTOUCHED } from '../support/erp.ts'
import { ITEMS, MACHINES, packed, STATUS, shapes, value, without } from '../support/erp-shapes.ts'
import { temporaryFolder } from '../support/harness.ts'
import { type Change, startMutatedErp } from '../support/mutated-erp.ts'
import { startHere } from '../support/starting.ts'

const exec = promisify(execFile)

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

async function startSimulator(simulated: ErpSimulatorOptions = {}) {
  const simulator = await startErpSimulator({ password: PASSWORD, ...simulated })
  onTestFinished(() => simulator.close())
  return simulator
}

async function check(url: string, more: Partial<CheckOptions> = {}, isWriting = false): Promise<CheckedCall[]> {
  const options: CheckOptions = {
    url,
    ...erpAccess,
    plants: [{ code: '010101', label: 'Unidade 1' }],
    order: ORDER,
    now: Date.now,
    ...more,
  }
  return await collect(checkErp(options, isWriting))
}

const wrongIn = (calls: readonly CheckedCall[]) =>
  calls.flatMap(({ findings }) => findings.filter(({ level }) => level === 'wrong'))
const findingsIn = (calls: readonly CheckedCall[]) => calls.flatMap(({ findings }) => findings)
const codesIn = (calls: readonly CheckedCall[]) => findingsIn(calls).map(({ code }) => code)
const brief = ({ code, field, value }: Finding) => ({ code, field, value })

/** As an administrator does by NODE_EXTRA_CA_CERTS. */
function trust({ cert }: Certificate): void {
  const before = getCACertificates()
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
}

describe('a check of the ERP', () => {
  test.each(['clean', 'realistic', 'dirty'] as const)(
    'finds nothing wrong in the %s profile, and writes nothing',
    async (profile) => {
      const simulator = await startSimulator({ profile, speed: 0 })
      const calls = await check(simulator.url)
      expect(wrongIn(calls)).toEqual([])
      expect(codesIn(calls)).toContain('stand_in')
      expect(calls.length).toBeGreaterThan(12)
      expect(
        simulator.state.log.some(({ integrationId, operation }) => integrationId && operation !== 'integracoes'),
      ).toBe(false)
    },
  )

  test('knows at least forty wrong shapes', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(40)
    expect(new Set(shapes.map(([what]) => what)).size).toBe(shapes.length)
  })

  test.each(shapes)('names field and value of %s', async (_, path, change, code, field, raw) => {
    const simulator = await startSimulator()
    const url = await startMutatedErp(simulator.url, path, change)
    const [first] = findingsIn(await check(url))
    expect(first && brief(first)).toEqual({ code, field, value: expect.stringContaining(raw) })
    expect(first?.sentence).toMatch(/^\p{Lu}.*\.$/u)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('finds nothing wrong where a proxy answers everything in %s without being asked', async (encoding, pack) => {
    const simulator = await startSimulator()
    const calls = await check(await startMutatedErp(simulator.url, /./, packed(pack, encoding)))
    expect(codesIn(calls).filter((code) => code !== 'stand_in')).toEqual([])
    expect(calls.length).toBeGreaterThan(12)
  })

  test('says that nobody is there, at the port and by the name', async () => {
    const simulator = await startSimulator()
    await simulator.close()
    expect(findingsIn(await check(simulator.url)).map(brief)).toEqual([
      { code: 'connection_refused', field: 'ERP_URL', value: `"127.0.0.1:${simulator.port}"` },
    ])
    expect(findingsIn(await check('http://erp.invalid/rest')).map(brief)).toEqual([
      { code: 'no_name', field: 'ERP_URL', value: '"erp.invalid"' },
    ])
  })

  test('says that an address with https does not speak TLS', async () => {
    const simulator = await startSimulator()
    expect(codesIn(await check(simulator.url.replace('http:', 'https:')))).toEqual(['no_tls'])
  })

  test.each([
    ['that nobody here trusts', {}, false, 'certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['that is over', { days: -1 }, true, 'certificate_over', 'CERT_HAS_EXPIRED'],
    ['of another name', { name: 'erp.fabrica.example' }, true, 'certificate_name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)('says of a certificate %s what is wrong with it', async (_, made, isTrusted, code, cause) => {
    const certificate = makeCertificate(made)
    if (isTrusted) trust(certificate)
    const [first] = findingsIn(await check((await startTlsServer(certificate)).url))
    expect(first && brief(first)).toEqual({ code, field: 'ERP_URL', value: expect.stringContaining(cause) })
  })

  test('notes a certificate of 90 days in its last fifteen, not before', async () => {
    const codesWith = async (days: number) => {
      const certificate = makeCertificate({ days, age: 90 - days })
      trust(certificate)
      return codesIn(await check((await startTlsServer(certificate)).url))
    }
    expect((await codesWith(14))[0]).toBe('certificate_ends')
    expect(await codesWith(16)).not.toContain('certificate_ends')
  })

  test('says of a login with every call that it was refused, and asks no more', async () => {
    const simulator = await startSimulator()
    const settings = ErpSettings.parse({ auth: 'basic' })
    expect(codesIn(await check(simulator.url, { settings }))).toEqual(['stand_in'])
    const calls = await check(simulator.url, { settings, password: 'errada' })
    expect(codesIn(calls)).toEqual(['stand_in', 'login_refused'])
  })

  test('notes what is slower than a screen waits', async () => {
    const simulator = await startSimulator()
    await simulator.state.setFaults([{ id: 'F01', operation: 'integracoes', ms: 3100 }])
    const calls = await check(simulator.url)
    expect([wrongIn(calls), codesIn(calls)]).toEqual([[], ['stand_in', 'slow']])
  })

  test('looks into every plant, and needs the order in one only', async () => {
    const simulator = await startSimulator()
    const plants = ['020101', '010101'].map((code) => ({ code, label: code }))
    const calls = await check(simulator.url, { plants })
    expect(wrongIn(calls)).toEqual([])
    expect(calls.filter(({ name }) => name === 'Itens da ordem').map(({ right }) => right)).toEqual([
      '0 linhas',
      '24 linhas',
    ])
  })
})

const trial = async (simulated: ErpSimulatorOptions, fault: Fault[] = [], more: Partial<CheckOptions> = {}) => {
  const simulator = await startSimulator(simulated)
  await simulator.state.setFaults(fault)
  const codes = codesIn(await check(simulator.url, more, true)).filter((code) => code !== 'stand_in')
  return { codes, pieces: simulator.state.writes.map(({ pieces }) => pieces) }
}

describe('a write trial', () => {
  test('records one piece, once', async () => {
    expect(await trial({})).toEqual({ codes: ['stored'], pieces: [1] })
  })

  test('says that the same id was stored twice', async () => {
    const { codes, pieces } = await trial({ dedup: false })
    expect([codes, pieces]).toEqual([
      ['stored', 'counted_twice'],
      [1, 1],
    ])
  })

  test('says that an ERP does not find what it has stored', async () => {
    expect((await trial({ lookup: false })).codes).toEqual(['stored', 'id_unknown'])
    expect((await trial({ lookup: false }, [], { lookup: 'none' })).codes).toEqual(['lookup_off', 'stored'])
  })

  test('gives the words of a refusal, and looks no further', async () => {
    expect(await trial({}, [{ id: 'F09', operation: 'apontamentos' }])).toEqual({
      codes: ['write_refused'],
      pieces: [],
    })
  })

  test('says that an answer confirms nothing, and that nothing was counted', async () => {
    const { codes, pieces } = await trial({}, [{ id: 'F34', operation: 'apontamentos', count: null }])
    expect(codes).toEqual(expect.arrayContaining(['write_unclear', 'repeat_refused', 'id_unknown', 'not_counted']))
    expect(pieces).toEqual([])
  })

  test('says that the registered quantity does not move', async () => {
    const simulator = await startSimulator()
    const url = await startMutatedErp(simulator.url, ITEMS, value('Z1_QTREGCO', 0))
    const found = wrongIn(await check(url, {}, true))
    expect(found.map(brief)).toEqual([{ code: 'not_counted', field: 'Z1_QTREGCO', value: '0' }])
  })

  test.each([
    ['a field of machines', MACHINES, without('FABRICANTE')],
    ['the clock', STATUS, (answer) => ({ ...answer, headers: { date: 'Sat, 21 Nov 2020 09:00:00 GMT' } })],
  ] as [string, RegExp, Change][])('does not begin while anything is wrong: %s', async (_, path, change) => {
    const simulator = await startSimulator()
    const url = await startMutatedErp(simulator.url, path, change)
    expect(wrongIn(await check(url, {}, true))).not.toEqual([])
    expect(simulator.state.writes).toEqual([])
  })
})

/** The real command against an ERP. */
const run = (url: string | null, ...given: string[]) =>
  runWith(url === null ? {} : { ERP_URL: url, ERP_USER: 'painel', ERP_PASSWORD: PASSWORD }, ...given)

async function runWith(variables: Record<string, string>, ...given: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...variables }
  return await exec(process.execPath, ['src/server/commands/erp-check.ts', ...given], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, error: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, error: stderr }),
  )
}

describe('npm run erp-check', () => {
  test('ends well where all is right, and writes only when it is called with --write', async () => {
    const simulator = await startSimulator()
    const read = await run(simulator.url, ORDER)
    expect([read.code, read.error]).toEqual([0, ''])
    expect(read.out).toContain('Tudo o que o painel precisa está certo (1 aviso).')
    expect(simulator.state.writes).toEqual([])
    const written = await run(simulator.url, ORDER, '--write')
    expect(written.code).toBe(0)
    expect(written.out).toContain('Estorne-a no Protheus.')
    expect(simulator.state.writes).toHaveLength(1)
  })

  test('takes the ERP that was named in the page where no variable names one', async () => {
    const { url } = await startSimulator()
    const DATA_DIR = temporaryFolder()
    await (await startHere({ DATA_DIR, MODE: 'plant' })).stop()
    const database = new Database(join(DATA_DIR, 'painel.sqlite'))
    const values = JSON.stringify({ version: 1, values: { ERP_URL: url, ERP_USER: 'painel' } })
    database.prepare("insert into settings (name, value) values ('installation', ?)").run(values)
    database.close()
    writeSecrets({ dataDir: DATA_DIR }, { ERP_PASSWORD: { value: PASSWORD, address: url } })
    expect(await runWith({ DATA_DIR }, ORDER)).toMatchObject({ code: 0, error: '' })
  })

  test('ends quietly when whoever reads its lines has seen enough', async () => {
    const simulator = await startSimulator()
    const env = { PATH: process.env.PATH, ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: PASSWORD }
    const child = spawn(process.execPath, ['src/server/commands/erp-check.ts', ORDER], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const errors = text(child.stderr)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect([await once(child, 'exit'), await errors]).toEqual([[0, null], ''])
  })

  test('ends with 1, naming field, value, rows and what to do', async () => {
    const simulator = await startSimulator()
    const url = await startMutatedErp(simulator.url, ITEMS, value('Z1_COMPR', '1250 mm'))
    const { code, out } = await run(url, ORDER, '--write')
    expect(code).toBe(1)
    expect(out).toContain('ERRADO: Z1_COMPR = "1250 mm" (24 de 24 linhas, a primeira 0101621401001000010007)')
    expect(out).toContain('Nada foi gravado.')
  })

  test('ends in a table with each failure once, whatever the number of plants, and what to do about it', async () => {
    const simulator = await startSimulator()
    const url = await startMutatedErp(simulator.url, MACHINES, without('FABRICANTE'))
    const { out } = await run(url, ORDER)
    const [, table = ''] = out.split('O que fazer:\n')
    expect(table.split('\n')).toEqual([
      'ERRADO  FABRICANTE  010101 Máquinas (cabo) +3  O campo falta. Mande-o em toda linha, vazio quando não há valor.',
      '',
      '4 erros e 0 avisos: corrija os erros e rode de novo.',
      '',
    ])
  })

  test.each([
    ['no ERP', null, [ORDER], 'Não há ERP a conferir: faltam ERP_URL, ERP_USER e ERP_PASSWORD, '],
    ['no order', 'http://erp:8080/rest', [], 'Uso: npm run erp-check -- ORDEM'],
    ['an option that it does not know', 'http://erp:8080/rest', [ORDER, '--gravar'], 'Uso: npm run erp-check'],
    ['a barcode', 'http://erp:8080/rest', [UNTOUCHED], `${UNTOUCHED} é um código de barras: escreva a ordem`],
  ] as const)('says in one sentence what is missing: %s', async (_, url, given, sentence) => {
    const { code, error } = await run(url, ...given)
    expect([code, error]).toEqual([1, expect.stringContaining(sentence)])
    expect(error).not.toContain('    at ')
  })
})
