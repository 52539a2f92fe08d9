import { parseArgs } from 'node:util'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { ConfigError, readConfig, readEnvironment } from '../config.ts'
import { type CheckedCall, checkErp, checkOptionsOf } from '../erp/check/check.ts'
import type { Finding } from '../erp/check/findings.ts'

const USAGE = `Uso: npm run erp-check -- ORDEM           confere o que o ERP responde sobre uma ordem de produção; só lê
     npm run erp-check -- ORDEM --write   também grava 1 peça, duas vezes com o mesmo identificador: use uma ordem de teste`

class CommandError extends Error {}

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

function lineOf({ name, branch, right, tookMs, findings }: CheckedCall): string {
  const isWrong = findings.some(({ level }) => level === 'wrong')
  const isNoted = !isWrong && findings.length > 0
  const mark = isWrong ? marks.wrong : isNoted ? marks.notice : 'certo '
  const where = branch === null ? name : `${branch} ${name}`
  return `${mark}  ${[where.padEnd(36), right, tookMs === null ? '' : `${tookMs} ms`].filter(Boolean).join('  ')}`.trimEnd()
}

const findingLines = ({ level, field, value, rows, sentence }: Finding): string =>
  `        ${marks[level].trim()}: ${field} = ${value}${rows === '' ? '' : ` (${rows})`}\n          ${sentence}`

async function run(): Promise<void> {
  const { order, write } = readArguments()
  if (order.length === BARCODE_LENGTH) {
    throw new CommandError(`${order} é um código de barras: escreva a ordem de produção.`)
  }
  const config = readConfig(readEnvironment())
  const { erp } = config
  if (erp === null) {
    throw new CommandError(
      'Não há ERP a conferir: faltam ERP_URL, ERP_USER e ERP_PASSWORD. Para ensaiar sem o Protheus: npm run erp',
    )
  }
  console.log(`Conferindo ${erp.url} com a ordem ${order}${write ? ', e gravando 1 peça de teste' : ''}.\n`)
  const options = checkOptionsOf(config, { ...erp, order, now: Date.now })
  const found: Finding[] = []
  for await (const checked of checkErp(options, write)) {
    console.log([lineOf(checked), ...checked.findings.map(findingLines)].join('\n'))
    found.push(...checked.findings)
  }
  const wrongs = found.filter(({ level }) => level === 'wrong').length
  const notices = found.length - wrongs
  const left = write && wrongs > 0 && !found.some(({ code }) => code === 'stored') ? ' Nada foi gravado.' : ''
  console.log(
    wrongs > 0
      ? `\n${wrongs} ${wrongs === 1 ? 'erro' : 'erros'} e ${notices} avisos: corrija os erros e rode de novo.${left}`
      : `\nTudo o que o painel precisa está certo (${notices} ${notices === 1 ? 'aviso' : 'avisos'}).`,
  )
  if (wrongs > 0) process.exitCode = 1
}

// whoever reads may have seen enough (`| head`); a trial that has begun to write goes on to its end
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
run().catch((error: unknown) => {
  const isExpected = error instanceof CommandError || error instanceof ConfigError
  console.error(isExpected ? error.message : error)
  process.exit(1)
})
