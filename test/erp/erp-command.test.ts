import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../deploy/galera/processes.ts'
import { ORDER } from '../support/erp.ts'
import { temporaryFolder } from '../support/harness.ts'

/** Each call is a process. */

const { PATH = '', HOME = '' } = process.env

/** The stand-in as its command starts it. Resolves when it has said where it is. */
async function startCommand(env: Record<string, string>, ...given: string[]) {
  const child = spawn(process.execPath, ['demo/erp-command.ts', ...given], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text
    if (printed.includes('para recomeçar')) break
  }
  const line = (name: string) => new RegExp(`^ {2}${name}=(.*)$`, 'm').exec(printed)?.[1] ?? ''
  return {
    printed,
    panelEnv: Object.fromEntries(['ERP_URL', 'ERP_USER', 'ERP_PASSWORD'].map((name) => [name, line(name)])),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code as number | null
    },
  }
}

const run = (file: string, given: string[], env: Record<string, string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...given], {
    env: { PATH, HOME, ...env },
    encoding: 'utf8',
  })
  return { code: status, out: stdout, error: stderr }
}
const check = (env: Record<string, string>, ...more: string[]) =>
  run('src/server/commands/erp-check.ts', [ORDER, ...more], env)

test('npm run erp is an ERP at the named port, with a password of its own, that keeps what is recorded there', async () => {
  const port = String(await freePort())
  const DATA_DIR = temporaryFolder()
  const erp = await startCommand({ DATA_DIR }, '--port', port, '--profile', 'clean')
  const { ERP_URL, ERP_PASSWORD = '' } = erp.panelEnv
  expect(ERP_URL).toBe(`http://127.0.0.1:${port}/rest`)
  expect(ERP_PASSWORD.length).toBeGreaterThanOrEqual(12)
  expect(check(erp.panelEnv, '--write')).toMatchObject({ code: 0, error: '' })
  expect(check({ ...erp.panelEnv, ERP_PASSWORD: 'painel' }).code).toBe(1)

  const second = run('demo/erp-command.ts', ['--port', String(await freePort())], { DATA_DIR })
  expect(second).toEqual({ code: 1, out: '', error: expect.stringMatching(/^Já há um ERP de ensaio aberto/) })
  const elsewhere = run('demo/erp-command.ts', ['--port', port], { DATA_DIR: temporaryFolder() })
  expect(elsewhere).toEqual({ code: 1, out: '', error: expect.stringMatching(/^A porta \d+ já está em uso/) })

  expect(run('demo/fault-command.ts', ['F40', '--always'], { DATA_DIR }).code).toBe(0)
  expect(check(erp.panelEnv).out).toContain('ERRADO: Z1_QUANT')
  expect(await erp.stop()).toBe(0)

  const again = await startCommand({ DATA_DIR, ERP_PASSWORD: 'a-mesma-senha' }, '--port', port, '--profile', 'clean')
  const items = await fetch(`${ERP_URL}/p1/ApontamentoProducao/itens?termo=${ORDER}`, {
    headers: { authorization: `Basic ${btoa('painel:a-mesma-senha')}`, tenantId: '01,010101' },
  })
  expect(((await items.json()) as { items: object[] }).items[0]).toMatchObject({ Z1_QTREGCO: 1 })
  expect(await again.stop()).toBe(0)
})

test('npm run erp says at its first start all that the panel needs and in which file, and keeps its password', async () => {
  const [port, DATA_DIR] = [String(await freePort()), temporaryFolder()]
  const start = async (env: Record<string, string>) => {
    const erp = await startCommand(env, '--port', port, '--profile', 'clean')
    expect(await erp.stop()).toBe(0)
    return erp
  }
  const first = await start({ DATA_DIR })
  expect(first.printed).toContain(
    `No arquivo ${join(process.cwd(), '.env')} do painel que ensaia com ele:\n  MODE=plant\n`,
  )
  const again = await start({ DATA_DIR })
  expect(again.panelEnv).toEqual(first.panelEnv)
  expect(statSync(join(DATA_DIR, 'erp-de-ensaio', 'senha')).mode & 0o777).toBe(0o600)
  expect((await start({ DATA_DIR, ERP_PASSWORD: 'outra-senha' })).printed).not.toContain(first.panelEnv.ERP_PASSWORD)
  expect(check({}).error).toContain(`ou no arquivo ${join(process.cwd(), '.env')}`)
})

test.each([['--port', '0'], ['--port', 'oito'], ['--profile', 'calmo'], ['realistic']])(
  'npm run erp answers %s %s with its usage',
  (...given) => {
    const { code, error } = run('demo/erp-command.ts', given, { DATA_DIR: temporaryFolder() })
    expect([code, error]).toEqual([1, expect.stringMatching(/^Uso: npm run erp/)])
  },
)
