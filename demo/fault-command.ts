import { parseArgs } from 'node:util'
import { CommandError, runCommand } from '../src/server/commands/command.ts'
import { readCommandConfig, readEnvironment } from '../src/server/config.ts'
import { refuseClosedFolders } from '../src/server/upkeep/folders.ts'
import { shows } from './faults.ts'
import { type Fault, type FaultId, faultIds } from './simulator/faults.ts'
import { askControl, findSimulatorControl, type SimulatorControl } from './stand-in.ts'

const USAGE = `Uso: npm run fault -- F06 [F07 ...] [--times 3 | --always]   liga falhas do ERP na demonstração ou no ensaio
     npm run fault -- --list                                  mostra todas, e as que estão ligadas
     npm run fault -- --off                                   desliga tudo`
const NOT_RUNNING =
  'A demonstração não está aberta. Abra com npm start, ou o ERP de ensaio com npm run erp, na mesma DATA_DIR.'
const TIMES_MAX = 1000

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        times: { type: 'string' },
        always: { type: 'boolean' },
        list: { type: 'boolean' },
        off: { type: 'boolean' },
      },
    })
    return { ...values, wanted: positionals.map((name) => name.toUpperCase()) }
  } catch {
    throw new CommandError(USAGE)
  }
}

async function tell(control: SimulatorControl, ...order: ['GET' | 'PUT' | 'DELETE', (readonly Fault[])?]) {
  const answer = await askControl(control, ...order)
  if (answer === null) throw new CommandError(NOT_RUNNING)
  return answer.faults ?? []
}

const isKnown = (name: string): name is FaultId => faultIds.some((id) => id === name)

function lineOf(id: FaultId, active: readonly Fault[]): string {
  const on = active.find((fault) => fault.id === id)
  const mark = !on ? '' : on.count === null ? '   [ligada]' : `   [ligada: ${on.count ?? 1}x]`
  return `  ${id}  ${shows[id].seen}${mark}`
}

/** What is asked for on the command line goes before what the fault does by itself. */
function faultsFor(id: FaultId, count: number | null | undefined): Fault[] {
  return shows[id].faults.map((fault) => (count === undefined ? fault : { ...fault, count }))
}

function readCount({ times, always }: { times?: string | undefined; always?: boolean | undefined }) {
  if (always) return null
  if (times === undefined) return undefined
  const count = Number(times)
  if (!Number.isInteger(count) || count < 1 || count > TIMES_MAX) {
    throw new CommandError(`--times espera um número de 1 a ${TIMES_MAX}.`)
  }
  return count
}

async function run(): Promise<void> {
  const { wanted, list, off, ...amount } = readArguments()
  const count = readCount(amount)
  const unknown = wanted.find((name) => !isKnown(name))
  if (unknown) throw new CommandError(`Não há falha ${unknown}. Veja: npm run fault -- --list`)
  if (!list && !off && wanted.length === 0) throw new CommandError(USAGE)
  const config = readCommandConfig(readEnvironment())
  refuseClosedFolders(config)
  const control = findSimulatorControl(config)
  if (!control) throw new CommandError(NOT_RUNNING)
  if (off) {
    await tell(control, 'DELETE')
    console.log('Todas as falhas estão desligadas.')
  }
  if (wanted.length > 0) {
    const chosen = wanted.filter(isKnown)
    const added = chosen.flatMap((id) => faultsFor(id, count))
    const remaining = (await tell(control, 'GET')).filter(({ id }) => !added.some((fault) => fault.id === id))
    await tell(control, 'PUT', [...remaining, ...added])
    for (const id of chosen) console.log(lineOf(id, added))
  }
  if (list) {
    const active = await tell(control, 'GET')
    console.log(faultIds.map((id) => lineOf(id, active)).join('\n'))
  }
}

void runCommand(run)
