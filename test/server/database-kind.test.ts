import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { Status } from '../../src/contract/settings.ts'
import { startRealErp } from '../support/erp.ts'
import { temporaryFolder } from '../support/harness.ts'
import {
  databaseOf,
  erp,
  expectOneSentence,
  expectSentence,
  refusedHere,
  runMeanwhile,
  startHere,
} from '../support/starting.ts'

const forgetKind = (database: Database.Database) => void database.exec("delete from settings where name = 'kind'")
/** It has worked with an ERP. */
const useErp = (database: Database.Database) =>
  void database.exec("insert or ignore into settings (name, value) values ('erp', 'real')")
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !/-(wal|shm)$/.test(one.name))
    .map(({ name, parentPath }) => [name, hash('sha256', readFileSync(join(parentPath, name)))])

describe('a database is of a demonstration or of a plant for good', () => {
  const plant = { ...erp, PLANTS: '010101=Unidade 1' }
  const demonstration = {}
  const chosen = { MODE: 'demonstration' }
  test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    [
      'a plant whose ERP_URL is gone',
      plant,
      demonstration,
      /^ERP_URL falta: o banco .*painel\.sqlite é de uma fábrica/,
    ],
    ['a plant told to be a demonstration', plant, { ...plant, ...chosen }, /^MODE=demonstration inválido: o banco /],
    ['a demonstration given an ERP', demonstration, plant, /^ERP_URL inválido aqui: o banco .* é de uma demonstração/],
    [
      'a demonstration told to be a plant',
      demonstration,
      { ...plant, MODE: 'plant' },
      /^MODE=plant inválido: o banco /,
    ],
  ])('%s is not started, and nothing is changed', async (_, before, after, sentence) => {
    for (const spoil of [() => undefined, forgetKind]) {
      const env = await databaseOf(before, (database) => {
        useErp(database)
        spoil(database)
      })
      const files = filesOf(env.DATA_DIR)
      expectSentence(await refusedHere({ ...after, ...env }), sentence)
      expect(filesOf(env.DATA_DIR)).toEqual(files)
    }
  })

  test('one that was moved to a MariaDB is not started, and nothing is changed', async () => {
    const movedAt = Date.UTC(2026, 10, 23, 15)
    const env = await databaseOf(plant, (database) => {
      database.prepare("insert into settings (name, value) values ('moved-at', ?)").run(String(movedAt))
    })
    const files = filesOf(env.DATA_DIR)
    expectSentence(
      await refusedHere({ ...plant, ...env }),
      /^O banco .* foi levado para um MariaDB em 23\/11\/2026\. .*--reopen/,
    )
    expect(filesOf(env.DATA_DIR)).toEqual(files)
  })

  test('an older database is a demonstration only while its users are there', async () => {
    const env = await databaseOf({}, (database) => {
      forgetKind(database)
      useErp(database)
      database.exec("update users set full_name = 'Ana Lima' where username = 'admin'")
    })
    expectSentence(await refusedHere(env), /^ERP_URL falta: /)
  })

  test('MODE makes a demonstration where an ERP is given', async () => {
    const env = { ...plant, ...chosen, DATA_DIR: temporaryFolder() }
    for (const start of ['first', 'again']) {
      const server = await startHere(env)
      expect(server.introduction, start).toContain('Demonstração, com um ERP simulado')
      await server.stop()
    }
    expectSentence(await refusedHere({ MODE: 'fábrica' }), /^MODE inválido: esperado plant ou demonstration\.\n$/)
  })
})

test('a plant starts before its ERP is known, and stays a plant without a variable', async () => {
  const DATA_DIR = temporaryFolder()
  for (const env of [{ MODE: 'plant' }, {}]) {
    const server = await startHere({ DATA_DIR, ...env })
    const status = (await (await fetch(`${server.origin}/api/status`)).json()) as Status
    expect(status).toMatchObject({ erp: 'offline', erpConfigured: false, erpStandIn: false })
    expect(server.introduction).toContain('Primeiro acesso')
    await server.stop()
  }
})

test('one that has worked with an ERP starts without it only when MODE says so', async () => {
  const env = await databaseOf({ MODE: 'plant' }, useErp)
  expectSentence(await refusedHere(env), /^ERP_URL falta: o banco .* é de uma fábrica/)
  await (await startHere({ ...env, MODE: 'plant' })).stop()
})

describe('a database that was used with one ERP', () => {
  const simulatorAs = async (isStandIn: boolean) => {
    const simulator = await startErpSimulator()
    onTestFinished(() => simulator.close())
    return isStandIn ? simulator.url : startRealErp(simulator.url)
  }
  const statusOf = async (url: string) => (await (await fetch(`${url}/api/status`)).json()) as Status

  test.each([
    [true, /^ERP_URL inválido aqui: .* é outro ERP, e o banco foi usado com o ERP de ensaio/],
    [false, /^ERP_URL inválido aqui: .* é um ERP de ensaio, e o banco é de outro/],
  ])('to try things with (%j): is not started with another kind', async (isStandIn, sentence) => {
    const login = { ERP_USER: 'painel', ERP_PASSWORD: 'painel' }
    const DATA_DIR = temporaryFolder()
    const server = await startHere({ ...login, ERP_URL: await simulatorAs(isStandIn), DATA_DIR })
    await expect.poll(() => statusOf(server.origin)).toMatchObject({ erp: 'online', erpStandIn: isStandIn })
    await server.stop()
    const files = filesOf(DATA_DIR)
    const env = { ...login, ERP_URL: await simulatorAs(!isStandIn), DATA_DIR }
    expectOneSentence(await runMeanwhile(env), sentence)
    expect(filesOf(DATA_DIR)).toEqual(files)
  })
})
