import type { CallCause, CallSymptom, CallTopic } from '../src/contract/maintenance-calls.ts'
import type { CallTeam } from '../src/contract/values.ts'
import { nameKey } from '../src/domain/acts/recordings.ts'
import { addDays, plantDay, wallMs } from '../src/domain/plant/plant-time.ts'
import { isLateCall } from '../src/domain/tools/maintenance-calls.ts'
import type { Config } from '../src/server/config.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import {
  acknowledgeCall,
  cancelCall,
  findPressedInTurn,
  openCall,
  type StoredCall,
  solveCall,
} from '../src/server/store/maintenance-calls.ts'
import { operators } from './history.ts'
import { type Random, randomFor } from './simulator/random.ts'
import { workShare } from './working-days.ts'

const MINUTE_MS = 60_000
const DAYS = 30
const CALLS_A_DAY_MAX = 2

const presses = ['PR0001 - Schäfer', 'PR0002 - Schäfer', 'PR0003 - Mecal', 'KX0002 - Komax', 'KX0003 - Komax']
const tools = ['MA-0003', 'MA-0004', 'MA-0005', 'MA-0009', 'MA-0011', 'MA-0014']
const technicians = ['Paulo Reis', 'Sandra Melo']
const someoneElse = 'Rita Alves'

type Story = { symptom: CallSymptom; cause: CallCause; done: string; note?: string } & Partial<OfTeam>
/** Of another team than maintenance. */
type OfTeam = { team: CallTeam; topic: CallTopic; actId: string }
/** What happens at a crimping bench, the usual more often. */
const stories: readonly (readonly [Story, number])[] = [
  [{ symptom: 'altura-fora', cause: 'ajuste', done: 'Altura ajustada e conferida em 5 peças' }, 6],
  [{ symptom: 'altura-fora', cause: 'bigorna-gasta', done: 'Bigorna trocada' }, 2],
  [{ symptom: 'forca-baixa', cause: 'crimpador-gasto', done: 'Crimpador do condutor trocado' }, 3],
  [{ symptom: 'terminal-nao-avanca', cause: 'avanco', done: 'Curso do avanço regulado' }, 5],
  [{ symptom: 'terminal-nao-avanca', cause: 'sujeira', done: 'Trilho limpo' }, 3],
  [{ symptom: 'corte-do-talao', cause: 'cortador-gasto', done: 'Cortador trocado' }, 3],
  [{ symptom: 'selo-falha', cause: 'ajuste', done: 'Inseridor regulado' }, 2],
  [{ symptom: 'maquina-parada', cause: 'sensor-ou-seguranca', done: 'Sensor da proteção reposicionado' }, 2],
  [{ symptom: 'maquina-parada', cause: 'pneumatica', done: 'Mangueira de ar trocada', note: 'Vazando ar atrás' }, 1],
  [{ symptom: 'outro', cause: 'sem-defeito', done: '', note: 'Barulho diferente ao crimpar' }, 1],
]

type Seeding = { tx: Tx; config: Config; now: number }

const someone = (name: string) => ({ userId: 0, name })

type Place = { machine: string; tool: string }

/** Opens calls, each under the next id, at any press where none is named. */
function opener({ tx, config }: Seeding, random: Random) {
  const branch = config.plants[0]?.code ?? ''
  const { timeZone } = config
  let count = 0
  const anywhere = (): Place => ({ machine: random.pick(presses), tool: random.pick(tools) })
  return async (
    openedAt: number,
    { symptom, note = '', team = 'manutencao', topic, actId = '' }: Story,
    { machine, tool }: Place = anywhere(),
  ): Promise<StoredCall> => {
    count++
    const id = `00000000-0000-4000-8000-c0${`${count}`.padStart(10, '0')}`
    await findPressedInTurn(tx, { id, branch })
    const { call } = await openCall(tx, {
      id,
      contentHash: '',
      branch,
      machine,
      machineKey: nameKey(machine.split(' - ')[0] ?? ''),
      unit: symptom === 'maquina-parada' ? '' : tool,
      barcode: '',
      position: '',
      orderNumber: '',
      side: '',
      symptom,
      team,
      topic: topic ?? '',
      actId: actId || null,
      note,
      openedAt,
      openedDay: plantDay(openedAt, timeZone),
      receivedAt: openedAt,
      by: someone(random.pick(operators)),
      isTrusted: true,
      isLate: isLateCall({ openedAt, receivedAt: openedAt, isTrusted: true }),
    })
    return call
  }
}

async function attend(tx: Tx, call: StoredCall, by: string, at: number): Promise<StoredCall> {
  await acknowledgeCall(tx, { call, by: someone(by), at })
  return { ...call, atendidoEm: '', version: call.version + 1 }
}

type Open = ReturnType<typeof opener>

async function seedMonth({ tx, config: { timeZone }, now }: Seeding, random: Random, open: Open): Promise<void> {
  const today = plantDay(now, timeZone)
  for (let ago = DAYS; ago > 0; ago--) {
    const day = addDays(today, -ago)
    const calls = workShare(day) < 1 ? 0 : random.between(0, CALLS_A_DAY_MAX)
    for (let nth = 0; nth < calls; nth++) {
      const story = random.weighted(stories)
      const openedAt = wallMs(day, nth === 0 ? '07:20' : '15:05', timeZone) + random.between(0, 240) * MINUTE_MS
      const call = await open(openedAt, story)
      const technician = random.pick(technicians)
      const attendedAt = openedAt + random.between(1, 14) * MINUTE_MS
      if (random.chance(0.08)) {
        await cancelCall(tx, { call, by: someone(technician), at: attendedAt }, 'Máquina errada')
        continue
      }
      const attended = await attend(tx, call, technician, attendedAt)
      const at = attendedAt + random.between(5, 45) * MINUTE_MS
      const solution = { causa: story.cause, causaTexto: '', feito: story.done, maintenanceRecord: null }
      await solveCall(tx, { call: attended, by: someone(technician), at }, solution)
    }
  }
}

async function seedOpen({ tx, now }: Seeding, open: Open): Promise<void> {
  // those that are open stand at the same presses on every day: a visitor's own call would else be one of two
  const [attendedAt, newAt] = [
    { machine: 'PR0003 - Mecal', tool: 'MA-0014' },
    { machine: 'KX0003 - Komax', tool: 'MA-0009' },
  ]
  const stuck: Story = { symptom: 'terminal-nao-avanca', cause: 'avanco', done: '' }
  const attendedNow = await open(now - 12 * MINUTE_MS, stuck, attendedAt)
  await attend(tx, attendedNow, technicians[0] ?? '', now - 8 * MINUTE_MS)
  await open(now - 4 * MINUTE_MS, { symptom: 'altura-fora', cause: 'ajuste', done: '' }, newAt)
  const lacking: Story = { symptom: 'outro', team: 'material', topic: 'terminal-acabando', cause: 'entregue', done: '' }
  const brought = await attend(
    tx,
    await open(now - 95 * MINUTE_MS, lacking, attendedAt),
    someoneElse,
    now - 90 * MINUTE_MS,
  )
  const solution = { causa: lacking.cause, causaTexto: '', feito: 'Rolo entregue na bancada', maintenanceRecord: null }
  await solveCall(tx, { call: brought, by: someone(someoneElse), at: now - 82 * MINUTE_MS }, solution)
  const [bad] = await tx
    .selectFrom('measurements')
    .select(['act_id as actId', 'machine', 'unit as tool'])
    .where('verdict', '=', 'fora')
    .orderBy('measured_at', 'desc')
    .limit(1)
    .execute()
  if (!bad) return
  const { actId, ...place } = bad
  await open(
    now - 7 * MINUTE_MS,
    { symptom: 'outro', team: 'qualidade', topic: 'medicao-fora', actId, cause: 'outra', done: '' },
    place,
  )
}

/**
 * Calls of the last month, one that somebody attends to, and one that nobody has seen yet; one for material, and one of
 * quality about the newest sample outside.
 */
export async function seedCalls(seeding: Seeding): Promise<void> {
  const random = randomFor(1, 'calls')
  const open = opener(seeding, random)
  await seedMonth(seeding, random, open)
  await seedOpen(seeding, open)
}
