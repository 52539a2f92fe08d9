import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { refuseInsideArchive } from '../../src/server/upkeep/program-folder.ts'
import { runArchive, unpackedArchive } from '../support/archive.ts'
import { temporaryFolder } from '../support/harness.ts'
import { expectOneSentence } from '../support/starting.ts'

const archive = unpackedArchive()

describe('what a plant keeps inside the folder of an archive', () => {
  test('is refused at the start, with the line that moves what lies there already', () => {
    const beside = join(dirname(archive), 'painel-dados')
    mkdirSync(join(archive, 'dados'))
    writeFileSync(join(archive, 'dados', 'painel.sqlite'), '')
    // as systemd does: from a link that the next version changes
    const link = join(temporaryFolder(), 'painel')
    symlinkSync(archive, link)
    expectOneSentence(
      runArchive(link, ['start'], { DATA_DIR: 'dados' }),
      `DATA_DIR inválido: ${archive}/dados fica na pasta desta versão do painel, que a próxima não traz. Com o painel parado, leve para fora o que está ali e escreva DATA_DIR=${beside}/dados: mkdir -p ${beside} && mv -T ${archive}/dados ${beside}/dados\n`,
    )
    // it can be backed up before
    expect(runArchive(archive, ['backup'], { DATA_DIR: 'vazia' }).stderr).toMatch(/^FALHOU: não há banco de dados em /)
  })

  const refusalOf = (folder: string, env: Record<string, string>) => {
    try {
      refuseInsideArchive(readConfig({ DATA_DIR: join(temporaryFolder(), 'dados'), ...env }), folder)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  test.each([
    ['DATA_DIR', '', 'dados'],
    ['BACKUP_DIR', '', 'backups'],
    ['DOCUMENTS_DIR', '', 'documentos'],
    ['SECRET_KEY_FILE', '', 'secret.key'],
    ['DATABASE_URL', 'sqlite:', 'p.sqlite'],
  ])('is refused where %s names nothing that is there, with a place for it', (name, before, base) => {
    const folder = join(temporaryFolder(), 'painel-9')
    mkdirSync(folder)
    expect(refusalOf(folder, { [name]: `${before}${folder}/abaixo/${base}` })).toBe(
      `${name} inválido: ${folder}/abaixo/${base} fica na pasta desta versão do painel, que a próxima não traz. Escreva ${name}=${before}${dirname(folder)}/painel-dados/${base}`,
    )
  })

  test('is moved file by file where it lies in that folder itself, and a database with what SQLite keeps beside it', () => {
    const folder = temporaryFolder()
    for (const name of ['painel.sqlite', 'secret.key', 'package.json']) writeFileSync(join(folder, name), '')
    const target = join(dirname(folder), 'painel-dados', 'dados')
    expect(refusalOf(folder, { DATA_DIR: folder })).toMatch(
      new RegExp(
        `DATA_DIR=${target}: mkdir -p ${target} && mv ${folder}/painel.sqlite ${folder}/secret.key ${target}$`,
      ),
    )
    expect(refusalOf(folder, { DATABASE_URL: `sqlite:${folder}/painel.sqlite` })).toMatch(
      new RegExp(`: mkdir -p .*/painel-dados && mv ${folder}/painel\\.sqlite\\* .*/painel-dados$`),
    )
  })

  test('by links from or to elsewhere is told by where it is, and a name that only begins like the folder’s is none', () => {
    const folder = join(temporaryFolder(), 'painel-9')
    mkdirSync(folder)
    const outside = temporaryFolder()
    symlinkSync(outside, join(folder, 'ligado'))
    symlinkSync(folder, join(outside, 'para-dentro'))
    expect(refusalOf(folder, { DATA_DIR: join(folder, 'ligado') })).toBe(null)
    expect(refusalOf(folder, { DATA_DIR: `${folder}-dados` })).toBe(null)
    expect(refusalOf(folder, { DATA_DIR: join(outside, 'para-dentro', 'novos') })).toContain(`${folder}/novos fica na`)
  })
})

test('a .env beside ./painel is refused by name where it would not be read, and read where DATA_DIR is given', () => {
  const file = join(archive, '.env')
  writeFileSync(file, 'PORT=três mil\n')
  onTestFinished(() => rmSync(file))
  const home = join(dirname(archive), 'painel-dados')
  const sentence = `O arquivo ${file} não seria lido: o painel lê ${home}/.env. Leve-o para lá: mkdir -p -m 700 "${home}" && mv -i "${file}" "${home}/.env"\n`
  for (const given of [['start'], ['erp-check', '01621401001']]) {
    expectOneSentence(runArchive(archive, given), sentence)
  }
  expect(existsSync(home)).toBe(false)
  expect(runArchive(archive, ['start'], { DATA_DIR: temporaryFolder() }).stderr).toMatch(/^PORT inválido: /)
})

test('a .env in painel-dados is read, and none beside it is missed', () => {
  const home = join(dirname(archive), 'painel-dados')
  mkdirSync(home)
  onTestFinished(() => rmSync(home, { recursive: true }))
  writeFileSync(join(home, '.env'), 'PORT=três mil\n')
  expectOneSentence(runArchive(archive, ['start']), /^PORT inválido: /)
})

test('a painel-dados that cannot be a folder is said in one sentence, with the account and the way out', () => {
  const home = join(dirname(archive), 'painel-dados')
  writeFileSync(home, '')
  onTestFinished(() => rmSync(home))
  expectOneSentence(
    runArchive(archive, ['start']),
    new RegExp(`^A pasta ${home} não pode ser criada ou aberta pela conta `),
  )
})
