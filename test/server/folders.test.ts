import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { giveAway, ordinary, ordinaryFolder, takeAway } from '../support/accounts.ts'
import { temporaryFolder } from '../support/harness.ts'
import { compileCache } from '../support/panel.ts'
import { expectSentence, startHere } from '../support/starting.ts'

/** With what an administrator types next, or in which account. */
const MEND = '(chown -R nobody|chmod -R u\\+rwX|chmod o\\+x)'

const runOrdinary = (file: string, args: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
    encoding: 'utf8',
    input: 'três porcas na bancada\n',
    ...ordinary(),
  })

const startOrdinary = (env: Record<string, string>) => {
  const { status, stdout, stderr } = runOrdinary('src/server/main.ts', [], { PORT: '0', ...env })
  expect([status, stdout]).toEqual([1, ''])
  return stderr
}

describe('a folder of another account', () => {
  const closed = () => {
    const folder = join(ordinaryFolder(), 'dados')
    mkdirSync(folder)
    takeAway(folder)
    return folder
  }

  test.each([
    ['is DATA_DIR', (folder: string) => folder, 'chown -R nobody|chmod -R u\\+rwX'],
    ['is above DATA_DIR', (folder: string) => join(folder, 'painel'), 'chmod o\\+x'],
  ])('%s: one sentence names it and says what to type', (_, of, mend) => {
    const DATA_DIR = of(closed())
    const said = startOrdinary({ DATA_DIR })
    expectSentence(said, new RegExp(`^DATA_DIR inválido: ${DATA_DIR} .*(${mend}) .*\\n$`))
    expect(said).not.toMatch(/EACCES|permission/)
  })

  test.each(['painel.sqlite', 'lock.sqlite', 'secret.key', 'marcas'])(
    'has left %s in DATA_DIR, as after one start by root: the same',
    (name) => {
      const DATA_DIR = ordinaryFolder()
      if (name === 'marcas') mkdirSync(join(DATA_DIR, name))
      else writeFileSync(join(DATA_DIR, name), '')
      takeAway(join(DATA_DIR, name))
      const said = startOrdinary({ DATA_DIR })
      expectSentence(said, new RegExp(`^DATA_DIR inválido: ${DATA_DIR}/${name} .*${MEND} ${DATA_DIR}\\n$`))
    },
  )

  test('has the database elsewhere: the same', () => {
    const folder = closed()
    const said = startOrdinary({ DATA_DIR: ordinaryFolder(), DATABASE_URL: `sqlite:${join(folder, 'painel.sqlite')}` })
    expectSentence(said, new RegExp(`^Não foi possível abrir o banco de dados .*: ${folder} .*${MEND} .*\\n$`))
  })

  test('is DOCUMENTS_DIR of a demonstration, which begins with documents: the same', () => {
    const folder = closed()
    const said = startOrdinary({ DATA_DIR: ordinaryFolder(), DOCUMENTS_DIR: folder })
    expectSentence(said, new RegExp(`^DOCUMENTS_DIR inválido: ${folder} .*${MEND} ${folder}\\n$`))
  })

  test.each([
    ['src/server/commands/user.ts', ['add', 'ana', '--role', 'admin']],
    ['src/server/commands/database.ts', ['backup']],
    ['src/server/commands/erp-check.ts', ['01621401001']],
    ['demo/erp-command.ts', []],
    ['demo/fault-command.ts', ['--list']],
  ])('is DATA_DIR of %s %j: the same', (file, args) => {
    const { status, stdout, stderr } = runOrdinary(file, args, { DATA_DIR: closed(), MODE: 'plant' })
    expect([status, stdout]).toEqual([1, ''])
    expectSentence(stderr, new RegExp(`^DATA_DIR inválido: .*${MEND} .*\\n$`))
  })

  test('is BACKUP_DIR of a backup, or has a document: the same, in Portuguese', () => {
    const DATA_DIR = ordinaryFolder()
    writeFileSync(join(DATA_DIR, 'painel.sqlite'), '')
    giveAway(join(DATA_DIR, 'painel.sqlite'))
    const folder = closed()
    const run = (env: Record<string, string>) =>
      runOrdinary('src/server/commands/database.ts', ['backup'], { DATA_DIR, ...env })
    const ofBackup = run({ BACKUP_DIR: folder })
    expect(ofBackup.status).toBe(1)
    expectSentence(ofBackup.stderr, new RegExp(`^BACKUP_DIR inválido: ${folder} .*${MEND} ${folder}\\n$`))
    const below = run({ BACKUP_DIR: join(folder, 'backups') })
    expectSentence(below.stderr, new RegExp(`^BACKUP_DIR inválido: .* chmod o\\+x ${folder}\\n$`))
    const ofDocuments = run({ DOCUMENTS_DIR: folder })
    expectSentence(ofDocuments.stderr, new RegExp(`^DOCUMENTS_DIR inválido: ${folder} .*${MEND} ${folder}\\n$`))
    expect(existsSync(join(DATA_DIR, 'backups'))).toBe(false)
  })
})

test('folders of documents and backups that cannot be written: a plant starts, and its log says so once for each', async () => {
  const folder = join(ordinaryFolder(), 'arquivo')
  writeFileSync(folder, '')
  const folders = { DOCUMENTS_DIR: join(folder, 'documentos'), BACKUP_DIR: join(folder, 'backups') }
  const lines: string[] = []
  const server = await startHere({ MODE: 'plant', DATA_DIR: temporaryFolder(), ...folders }, lines)
  await server.stop()
  const warned = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a folder cannot be written to')
  expect(warned.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^DOCUMENTS_DIR inválido: /),
    expect.stringMatching(/^BACKUP_DIR inválido: /),
  ])
})
