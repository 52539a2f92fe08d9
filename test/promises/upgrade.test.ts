import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { findPageId } from '../../src/server/upkeep/identity.ts'
import { cutOf } from '../support/harness.ts'
import { commandsBelow, makeCheckout, makeMachine, treeHash } from '../support/promises/installed-archives.ts'
import { report } from '../support/promises/report.ts'

const NEXT_PAGE = '2.1.0-0123456'
const TARGET = `${process.platform}-${process.arch}`
const archiveOf = (program: string) => `painel-${program}-${TARGET}.tar.gz`

/** The same number, as between two releases: another schema and another page. */
function changeSchemaAndPage({ change, folder }: ReturnType<typeof makeCheckout>): void {
  const migrator = 'src/server/store/db/migrator.ts'
  change(migrator, 'import { columnsOf,', 'import { column, columnsOf,')
  const list = "'2099-01-01-next': { next: column('next_page', 'sessions', (c) => c.key(64)) },"
  change(migrator, /(?=\n\}\n\nasync function nameOfDatabase)/, `\n  ${list}`)
  change('src/server/store/db/migrate.ts', /(?<=const NOTED = \{ last: ')[^']+/, '2099-01-01-next-01-next')
  change('dist/web/index.html', /(?<=<meta name="pagina" content=")[^"]*/, NEXT_PAGE)
  // a browser would be given these
  for (const form of ['br', 'gz']) rmSync(join(folder, `dist/web/index.html.${form}`))
}

/** Archives of two commits, with the sums, brought to a machine that has neither. */
function makeArchives() {
  const checkout = makeCheckout()
  const older = checkout.release()
  changeSchemaAndPage(checkout)
  const newer = checkout.release()
  const archives = [older, newer].flatMap((id) => [archiveOf(id), `${archiveOf(id)}.sha256`])
  const made = readdirSync(checkout.dist).filter((name) => name.startsWith('painel-'))
  expect(made.toSorted(), 'the older one stays beside the newer one').toEqual(archives.toSorted())
  const machine = makeMachine()
  for (const name of archives) cpSync(join(checkout.dist, name), join(machine.inbox, name))
  /** Lines of the manual, with the names that these archives have. */
  const named = (lines: string[], given = newer) =>
    lines.map((line) =>
      line.replaceAll('2.1.0-426d119', older).replaceAll('2.1.1-8c04e5b', given).replaceAll('linux-x64', TARGET),
    )
  return { machine, older, newer, named }
}

async function pageAt(url: string): Promise<string> {
  const [, id = ''] = /<meta name="pagina" content="([^"]*)">/.exec(await (await fetch(url)).text()) ?? []
  return id
}

async function recordAt(url: string, pieces: number): Promise<string> {
  const id = randomUUID()
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(url + path, { ...init, body: JSON.stringify(body) })
    expect([200, 201, 202], await answer.clone().text()).toContain(answer.status)
    return (await answer.json()) as { token: string }
  }
  const { token } = await post('/api/auth/login', { username: 'operador', password: 'operador' })
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
  await post('/api/apontamentos/corte-crimpagem', cutOf(pieces), headers)
  return id
}

function recordedIn(file: string, ids: readonly string[]): boolean[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const has = sqlite.prepare('select 1 from recordings where id = ?')
  const found = ids.map((id) => has.get(id) !== undefined)
  sqlite.close()
  return found
}

const programIn = (ready: string) => (JSON.parse(ready) as { version: string }).version

test('two archives of different commits stand side by side: an upgrade keeps the data, and the way back has that of its backup', async () => {
  const begunMs = performance.now()
  const { machine, older, newer, named } = makeArchives()
  const madeMs = performance.now()
  const upgrade = commandsBelow('atualizar.md', '## Atualizar')
  const database = join(machine.dataDir, 'painel.sqlite')
  const [, install = ''] = named(upgrade, older)
  await machine.type(install)
  await machine.type('systemctl start painel')
  const first = await recordAt(machine.url(), 1)
  const oldPage = await pageAt(machine.url())
  expect(oldPage).toBe(await findPageId())

  // 'Antes'
  const said = await machine.type('/opt/painel/painel backup')
  const [, backup = ''] = /^Backup feito em (\S+) .* e volta ensaiada/.exec(said) ?? []
  const [noted = ''] = (await machine.type('/opt/painel/painel --version')).split('\n')
  expect(noted).toBe(`Painel Industrial ${older}`)

  // 'Atualizar'
  const [checkSum = '', unpack = '', askVersion = '', restart = '', ready = ''] = named(upgrade)
  expect(await machine.type(checkSum)).toContain(`${archiveOf(newer)}: `)
  const before = treeHash(join(machine.opt, `painel-${older}`))
  await machine.type(unpack)
  expect(await pageAt(machine.url()), 'the server that runs goes on as it was').toBe(oldPage)
  expect((await machine.type(askVersion)).split('\n')[0]).toBe(`Painel Industrial ${newer}`)
  await machine.type(restart)
  expect(programIn(await machine.type(ready))).toBe(newer)
  expect(await pageAt(machine.url())).toBe(NEXT_PAGE)
  const second = await recordAt(machine.url(), 2)
  expect(recordedIn(database, [first, second])).toEqual([true, true])
  expect(treeHash(join(machine.opt, `painel-${older}`)), 'the older program is whole').toBe(before)

  // 'Voltar à versão anterior'
  const [stop = '', link = '', restore = '', start = ''] = named(
    commandsBelow('atualizar.md', '## Voltar à versão anterior'),
  )
  await machine.type(stop)
  await machine.type(link)
  expect(await machine.start(), 'without the backup').toContain('O banco de dados é de uma versão mais nova do painel')
  const restored = await machine.type(restore.replace('PASTA', backup))
  const [, aside = ''] = /O banco que estava no lugar ficou em (\S+)\.(?: |$)/.exec(restored) ?? []
  await machine.type(start)
  expect(programIn(await machine.type(ready))).toBe(older)
  expect(await pageAt(machine.url())).toBe(oldPage)
  expect(recordedIn(database, [first, second])).toEqual([true, false])
  expect(recordedIn(aside, [first, second]), 'nothing of the newer database is lost').toEqual([true, true])
  expect(existsSync(join(machine.opt, `painel-${newer}`, 'painel'))).toBe(true)
  expect(treeHash(join(machine.opt, `painel-${older}`))).toBe(before)
  await recordAt(machine.url(), 3)

  appendFileSync(join(machine.inbox, archiveOf(newer)), 'x')
  expect(machine.run(checkSum).status, 'of a copy that came damaged').toBe(1)
  const secondsText = (ms: number) => `${Math.round(ms / 1000)} s`
  const walked = secondsText(performance.now() - madeMs)
  report('upgrade', { archives: 2 }, { made: secondsText(madeMs - begunMs), walked })
})
