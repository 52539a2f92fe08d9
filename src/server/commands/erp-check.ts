import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { type ErpCommandConfig, readEnvironment, readErpCommandConfig } from '../config.ts'
import { type CheckedCall, checkErp, checkOptionsOf } from '../erp/check/check.ts'
import type { Finding } from '../erp/check/findings.ts'
import { openStore } from '../store/db/open-store.ts'
import { refuseClosedFolders } from '../upkeep/folders.ts'
import { completeErpCommandConfig } from '../upkeep/installation-settings.ts'
import { CommandError, runCommand } from './command.ts'

const USAGE = `Uso: npm run erp-check -- ORDEM           confere o que o ERP responde sobre uma ordem de produção; só lê
     npm run erp-check -- ORDEM --write   também grava 1 peça, duas vezes com o mesmo identificador: use uma ordem de teste`

function readArguments(): { order: string; write: boolean } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
    const [order = '', ...more] = positionals.map((word) => word.trim())
    if (order !== '' && more.length === 0) return { order, write: values.write === true }
  } catch {
    // the message below says it
  }
  throw new CommandError(USAGE)
}

const marks = { wrong: 'ERRADO', notice: 'aviso ' } as const

const whereOf = ({ name, branch }: Pick<CheckedCall, 'name' | 'branch'>) =>
  branch === null ? name : `${branch} ${name}`

function lineOf({ name, branch, right, tookMs, findings }: CheckedCall): string {
  const isWrong = findings.some(({ level }) => level === 'wrong')
  const isNoted = !isWrong && findings.length > 0
  const mark = isWrong ? marks.wrong : isNoted ? marks.notice : 'certo '
  return `${mark}  ${[whereOf({ name, branch }).padEnd(36), right, tookMs === null ? '' : `${tookMs} ms`].filter(Boolean).join('  ')}`.trimEnd()
}

const findingLine = ({ level, field, value, rows }: Finding): string =>
  `        ${marks[level].trim()}: ${field} = ${value}${rows === '' ? '' : ` (${rows})`}`

type Found = { finding: Finding; where: string }

/** Errors first; one that comes again in another call or plant is one line. */
function tableOf(found: readonly Found[]): string {
  const groups = Map.groupBy(found, ({ finding }) => `${finding.code} ${finding.field}`)
  const lines = [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const { level, field, sentence } = first.finding
    return [{ level, field, where: more.length > 0 ? `${first.where} +${more.length}` : first.where, sentence }]
  })
  const width = (column: 'field' | 'where') => Math.max(...lines.map((line) => line[column].length))
  const [fieldWidth, whereWidth] = [width('field'), width('where')]
  return (['wrong', 'notice'] as const)
    .flatMap((level) => lines.filter((line) => line.level === level))
    .map(({ level, field, where, sentence }) =>
      [marks[level], field.padEnd(fieldWidth), where.padEnd(whereWidth), sentence].join('  '),
    )
    .join('\n')
}

/** With what the page has set, where a panel has run already. */
async function readPlantConfig(): Promise<ErpCommandConfig> {
  const env = readEnvironment()
  const given = readErpCommandConfig(env)
  const { erp, database } = given
  if (erp === null) refuseClosedFolders(given)
  // opening one would make it
  if (erp !== null || (database.kind === 'sqlite' && !existsSync(database.file))) return given
  const db = openStore(given)
  try {
    return (await completeErpCommandConfig(db.read, env, given)).config
  } finally {
    await db.close()
  }
}

async function run(): Promise<void> {
  const { order, write } = readArguments()
  if (order.length === BARCODE_LENGTH) {
    throw new CommandError(`${order} é um código de barras: escreva a ordem de produção.`)
  }
  const config = await readPlantConfig()
  const { erp } = config
  if (erp === null) {
    throw new CommandError(
      `Não há ERP a conferir: faltam ERP_URL, ERP_USER e ERP_PASSWORD, no ambiente ou no arquivo ${resolve('.env')}. Na tela: Configurações, Instalação. Para ensaiar sem o Protheus: npm run erp`,
    )
  }
  console.log(`Conferindo ${erp.url} com a ordem ${order}${write ? ', e gravando 1 peça de teste' : ''}.\n`)
  const options = checkOptionsOf(config, { ...erp, order, now: Date.now })
  const found: Found[] = []
  for await (const checked of checkErp(options, write)) {
    console.log([lineOf(checked), ...checked.findings.map(findingLine)].join('\n'))
    found.push(...checked.findings.map((finding) => ({ finding, where: whereOf(checked) })))
  }
  const wrongs = found.filter(({ finding }) => finding.level === 'wrong').length
  const notices = found.length - wrongs
  const left =
    write && wrongs > 0 && !found.some(({ finding }) => finding.code === 'stored') ? ' Nada foi gravado.' : ''
  if (found.length > 0) console.log(`\nO que fazer:\n${tableOf(found)}`)
  const noticeText = `${notices} ${notices === 1 ? 'aviso' : 'avisos'}`
  console.log(
    wrongs > 0
      ? `\n${wrongs} ${wrongs === 1 ? 'erro' : 'erros'} e ${noticeText}: corrija os erros e rode de novo.${left}`
      : `\nTudo o que o painel precisa está certo (${noticeText}).`,
  )
  if (wrongs > 0) process.exitCode = 1
}

// whoever reads may have seen enough (`| head`); a trial that has begun to write goes on to its end
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
void runCommand(run)
