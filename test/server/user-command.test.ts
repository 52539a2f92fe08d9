import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../src/server/store/db/db.ts'
import { migrate, migrateUpTo } from '../../src/server/store/db/migrate.ts'
import { temporaryFolder } from '../support/harness.ts'
import { DATABASE_PASSWORD, plantDatabase } from '../support/mariadb.ts'
import { compileCache, USER_PASSWORD as PASSWORD, runUserCommand } from '../support/panel.ts'

describe('npm run user', () => {
  test.each([
    [[]],
    [['add']],
    [['add', 'maria']],
    [['add', 'maria', '--role', 'chefe']],
    [['list', 'maria']],
    [['password']],
    [['disable', 'maria', '--role', 'admin']],
    [['add', 'maria', 'jose', '--role', 'admin']],
    [['add', 'maria', '--role', 'admin', '--senha', 'x']],
    [['remove', 'maria', '--role', 'admin']],
  ])('%j says how it is used', (args) => {
    const { status, stdout, stderr } = runUserCommand(args, { DATA_DIR: temporaryFolder() })
    expect(stderr).toMatch(
      /^Uso: npm run user -- add NOME --full-name "Nome Completo" --role operador\|manutencao\|\S*admin\n/,
    )
    expect([status, stdout]).toEqual([1, ''])
  })

  test('a name that some keyboard cannot type is refused', () => {
    const { status, stderr } = runUserCommand(['add', 'ma ria', '--role', 'admin'], { DATA_DIR: temporaryFolder() })
    expect([status, stderr]).toEqual([1, 'NOME inválido: Use letras sem acento, números, ponto, hífen, _ ou @.\n'])
  })

  test('a full name is refused as by the screen: with a sign that turns it round, or too long', () => {
    for (const fullName of ['Maria \u202eazuoS', 'x'.repeat(121)]) {
      const args = ['add', 'maria', '--role', 'admin', '--full-name', fullName]
      const { status, stderr } = runUserCommand(args, { DATA_DIR: temporaryFolder() }, `${PASSWORD}\n`)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^Nome completo inválido: .+\.\n$/)
    }
  })

  const add = ['add', 'maria', '--role', 'admin']

  test.each([
    ['', 'A senha precisa de pelo menos 8 caracteres.\n'],
    ['curta\n', 'A senha precisa de pelo menos 8 caracteres.\n'],
    [`${'x'.repeat(5000)}\n`, 'A senha é longa demais.\n'],
    ['h7k-m2p-x\n', 'A senha de administrador precisa de pelo menos 10 caracteres.\n'],
    ['1234567890\n', 'Senha fácil de adivinhar. Escolha outra.\n'],
  ])('refuses a bad password', async (input, sentence) => {
    const { file: _, ...env } = await newDatabase()
    const { status, stderr } = runUserCommand(add, env, input)
    expect([status, stderr]).toEqual([1, sentence])
  })

  test.each([
    ['the database is away', { DATABASE_URL: `mysql://painel:${DATABASE_PASSWORD}@127.0.0.1:1/painel` }],
    ['a variable is bad', { DATABASE_URL: `mysql://painel:${DATABASE_PASSWORD}@127.0.0.1:99999/painel` }],
    ['the file is no database', { DATABASE_URL: `sqlite:${process.execPath}` }],
  ])('says it in one line when %s', (_, env) => {
    const { status, stderr } = runUserCommand(add, { DATA_DIR: temporaryFolder(), ...env })
    expect(stderr).toMatch(/^(O banco de dados não respondeu|DATABASE_URL inválido|Não foi possível abrir).*\n$/)
    expect(stderr).not.toContain(DATABASE_PASSWORD)
    expect(status).toBe(1)
  })

  /** As a plant's first start leaves it. */
  const newDatabase = async (upTo?: string): Promise<{ DATA_DIR: string; file: string }> => {
    const DATA_DIR = temporaryFolder()
    const file = join(DATA_DIR, 'painel.sqlite')
    const db = openDb({ kind: 'sqlite', file })
    await (upTo === undefined ? migrate(db) : migrateUpTo(db, upTo))
    await db.close()
    return { DATA_DIR, file }
  }

  test.each([
    ['there is none', (folder: string) => join(folder, 'painel.sqlite')],
    [
      'it is empty',
      (folder: string) => {
        const file = join(folder, 'vazio.sqlite')
        writeFileSync(file, '')
        return file
      },
    ],
  ])('makes no database where %s', (_, fileOf) => {
    const DATA_DIR = temporaryFolder()
    const file = fileOf(DATA_DIR)
    const before = readdirSync(DATA_DIR)
    for (const args of [add, ['list']]) {
      const { status, stderr } = runUserCommand(args, { DATA_DIR, DATABASE_URL: `sqlite:${file}` })
      expect(stderr).toBe(
        `Não há banco de dados do painel em ${file}. Diga qual é por DATA_DIR ou DATABASE_URL; se é novo, inicie o painel antes.\n`,
      )
      expect(status).toBe(1)
    }
    expect(readdirSync(DATA_DIR)).toEqual(before)
  })

  test('what is stored of a person is written where the command was typed, not where npm or ./painel go first', async () => {
    const { file: _, ...env } = await newDatabase()
    const INIT_CWD = temporaryFolder()
    runUserCommand(add, env)
    const { status, stdout } = runUserCommand(['export', 'maria'], { ...env, INIT_CWD })
    const written = readdirSync(INIT_CWD).map((name) => join(INIT_CWD, name))
    expect([status, stdout]).toEqual([0, `Gravado em ${written[0]}\n`])
  })

  test('makes no tables in a MariaDB, and names the one that it changed without its password', async () => {
    const url = await plantDatabase()
    const env = { DATA_DIR: temporaryFolder(), DATABASE_URL: url.href }
    const name = `${url.pathname.slice(1)} em ${url.host}`
    expect(runUserCommand(add, env).stderr).toMatch(`Não há banco de dados do painel em ${name}. `)
    const db = openDb({ kind: 'mysql', url: url.href })
    expect(await db.read.introspection.getTables()).toEqual([])
    await migrate(db)
    await db.close()
    expect(runUserCommand(add, env).stdout).toBe(`Usuário maria criado (admin). Banco de dados: ${name}\n`)
  })

  describe('on a terminal', () => {
    /** What a person sees who types each answer when it is asked for. */
    async function typeAt(env: Record<string, string>, answers: [question: string, typed: string][]) {
      const command = `"${process.execPath}" src/server/commands/user.ts add maria --role admin`
      // util-linux makes the terminal; what it says of its own is not shown
      const child = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH ?? '', ...env } })
      let seen = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen += text
      })
      const exited = once(child, 'exit')
      let from = 0
      for (const [question, typed] of answers) {
        await expect.poll(() => seen.indexOf(question, from)).toBeGreaterThanOrEqual(0)
        from = seen.indexOf(question, from) + question.length
        child.stdin.write(typed)
      }
      const [status] = (await exited) as [number | null]
      return { seen, status }
    }
    const ERASE = '\x7f'

    test('the password is asked twice and never shown', async () => {
      const { file, ...env } = await newDatabase()
      const { seen, status } = await typeAt(env, [
        ['Senha: ', `${PASSWORD}x${ERASE}\r`],
        ['Senha de novo: ', `${PASSWORD}\r`],
      ])
      expect(seen.split('\r\n')).toEqual([
        'Senha: ',
        'Senha de novo: ',
        `Usuário maria criado (admin). Banco de dados: ${file}`,
        '',
      ])
      expect(status).toBe(0)
    })

    test.each<[string, [string, string][], string, number]>([
      [
        'two that differ',
        [
          ['Senha: ', `${PASSWORD}\r`],
          ['Senha de novo: ', `${PASSWORD}!\r`],
        ],
        'As senhas não são iguais.',
        1,
      ],
      ['Ctrl+C', [['Senha: ', `${PASSWORD}\x03`]], '', 130],
      ['Ctrl+D', [['Senha: ', '\x04']], 'A senha precisa de pelo menos 8 caracteres.', 1],
    ])('%s: nobody is added, nothing is shown', async (_, answers, sentence, code) => {
      const { file: __, ...env } = await newDatabase()
      const { seen, status } = await typeAt(env, answers)
      expect(seen).not.toContain(PASSWORD)
      expect(seen).toContain(sentence)
      expect(status).toBe(code)
      expect(runUserCommand(['list'], env).stdout).toMatch(/^Nenhum usuário\./)
    })
  })

  test('a name is taken once, in whatever case', async () => {
    const { file, ...env } = await newDatabase()
    expect(runUserCommand(add, env).stdout).toBe(`Usuário maria criado (admin). Banco de dados: ${file}\n`)
    const again = runUserCommand(['add', 'Maria', '--role', 'operador'], env)
    expect([again.status, again.stderr]).toEqual([1, 'Já existe um usuário com este nome.\n'])
  })

  // Nine commands, each of which starts a process.
  test('access is taken and given back, a password set, all listed; the last admin stays', async () => {
    const { file, ...env } = await newDatabase()
    const place = `Banco de dados: ${file}\n`
    const say = (...args: string[]) => {
      const { stdout, stderr } = runUserCommand(args, env)
      return stdout + stderr
    }
    expect(say('list')).toMatch(/^Nenhum usuário\. /)
    say(...add)
    say('add', 'jose', '--full-name', 'José Alves', '--role', 'operador')
    expect(say('disable', 'Jose')).toBe(`Usuário jose desativado. As sessões dele acabaram. ${place}`)
    expect(say('disable', 'jose')).toBe(`Usuário jose já estava desativado. ${place}`)
    expect(
      say('list')
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual([
      'usuário  nome        papel          acesso      último uso',
      'jose     José Alves  Operador       desativado  -',
      'maria    maria       Administrador  ativo       -',
      '',
    ])
    expect(say('enable', 'jose')).toBe(`Usuário jose ativo. ${place}`)
    expect(say('password', 'jose')).toBe(`Senha de jose trocada. As sessões dele acabaram. ${place}`)
    expect(say('disable', 'maria')).toBe('É o último administrador com acesso. Crie ou ative outro antes.\n')
    expect(say('enable', 'rui')).toBe('O usuário rui não existe. Veja todos: npm run user -- list\n')
  })

  test('several at once on a database of an older version: its steps are run once, every user is there', async () => {
    const { file: _, ...env } = await newDatabase('2026-11-21-house-35-erp_slots')
    const codes = await Promise.all(
      ['ana', 'bia', 'caio', 'davi'].map(async (name) => {
        const child = spawn(process.execPath, ['src/server/commands/user.ts', 'add', name, '--role', 'operador'], {
          env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
          stdio: ['pipe', 'ignore', 'inherit'],
        })
        child.stdin.end(`${PASSWORD}\n`)
        const [code] = await once(child, 'exit')
        return code as number
      }),
    )
    expect(codes).toEqual([0, 0, 0, 0])
  })
})
