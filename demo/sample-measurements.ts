import type { Instrument } from '../src/contract/instruments.ts'
import type { Characteristic, Verdict } from '../src/contract/measurements.ts'
import type { SignalCause } from '../src/contract/spc.ts'
import { nameKey } from '../src/domain/acts/recordings.ts'
import { addDays, plantDay, wallMs } from '../src/domain/plant/plant-time.ts'
import { shiftAt } from '../src/domain/plant/shifts.ts'
import { forceLimits, heightLimits, judge, type Limits, planFor } from '../src/domain/quality/control-plans.ts'
import { instrumentFindingsOf } from '../src/domain/quality/instruments.ts'
import type { Config } from '../src/server/config.ts'
import { listPlans, type StoredPlan } from '../src/server/store/control-plans.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { listInstruments } from '../src/server/store/instruments.ts'
import { insertMeasurements, linkSamples, type NewMeasurement } from '../src/server/store/measurements.ts'
import type { Recording } from '../src/server/store/recordings.ts'
import { insertTreatment } from '../src/server/store/treatments.ts'
import { findQuality, operators, type PastWork } from './history.ts'
import { type Random, randomFor } from './simulator/random.ts'
import { workShare } from './working-days.ts'

const DAYS = 42
const MINUTE_MS = 60_000
/** When a press is measured on a working day: at the begin of a shift and within it. */
const times = ['06:20', '10:40', '14:25', '18:50', '22:20']
const LOT_SAMPLES = 14
const ROWS_AT_ONCE = 500

/** How a characteristic lies, in thousandths: `drift` says how far the tool has moved it at a sample. */
type Spread = { mean: number; sigma: number; step: number; drift?: (sample: number) => number }

type Story = {
  tool: string
  terminal: string
  gauge: number
  machines: readonly string[]
  samples: number
  readings: number
  instrument: string
  height: Spread
  force: Spread
  /** Of single samples: what is added to the first height, what was done about it, what was found, what quality wrote. */
  events?: Record<number, { off?: number; cause?: [SignalCause, string]; invalid?: string; treated?: string }>
}

/** From there on the crimper of MA-0001 wears: a signal long before the first piece is outside. */
const WORN_FROM = 44

const stories: readonly Story[] = [
  {
    ...{ tool: 'MA-0001', terminal: 'T1326030', gauge: 500, machines: ['PR0001 - Schäfer', 'PR0003 - Mecal'] },
    ...{ samples: 62, readings: 3, instrument: 'MIC-ALT-01' },
    height: { mean: 1104, sigma: 7.5, step: 1, drift: (at) => Math.max(0, at - WORN_FROM) * 1.1 },
    force: { mean: 93_000, sigma: 3500, step: 100, drift: (at) => -Math.max(0, at - WORN_FROM) * 250 },
  },
  {
    ...{ tool: 'MA-0002', terminal: 'T1326030', gauge: 500, machines: ['PR0001 - Schäfer'] },
    ...{ samples: 9, readings: 5, instrument: 'MIC-ALT-01' },
    height: { mean: 1098, sigma: 6, step: 1 },
    force: { mean: 96_000, sigma: 3000, step: 100 },
  },
  {
    ...{ tool: 'MA-0011', terminal: 'T0929941', gauge: 750, machines: ['KX0002 - Komax', 'KX0003 - Komax'] },
    ...{ samples: 50, readings: 3, instrument: 'MIC-ALT-01' },
    height: { mean: 1221, sigma: 8, step: 1 },
    force: { mean: 128_000, sigma: 5500, step: 100 },
    // the newest sample: quality has written down what was done
    events: { 49: { off: 85, treated: 'Peças separadas, altura regulada e conferida em 5 peças' } },
  },
  {
    ...{ tool: 'MA-0005', terminal: 'T0964281', gauge: 500, machines: ['PR0002 - Schäfer', 'PR0004 - Mecal'] },
    ...{ samples: 34, readings: 3, instrument: 'MIC-ALT-01' },
    height: { mean: 1110, sigma: 11, step: 1 },
    force: { mean: 88_000, sigma: 4000, step: 100 },
    events: {
      8: { off: 49, cause: ['ajuste', 'Altura regulada e conferida em 5 peças'] },
      17: { off: -62, invalid: 'Terminal torto na bigorna do micrômetro' },
      31: { off: 38, cause: ['lote-do-terminal', 'Carretel novo, mais duro'] },
    },
  },
  {
    ...{ tool: 'MA-0015', terminal: 'T0968221', gauge: 1500, machines: ['PR0003 - Mecal'] },
    ...{ samples: 33, readings: 1, instrument: 'PAQ-01' },
    height: { mean: 1496, sigma: 13, step: 10 },
    force: { mean: 205_000, sigma: 9000, step: 1000 },
  },
  {
    ...{ tool: 'MA-0009', terminal: 'T0928999', gauge: 750, machines: ['KX0003 - Komax'] },
    ...{ samples: 16, readings: 3, instrument: 'MIC-ALT-02' },
    height: { mean: 1214, sigma: 9, step: 1 },
    force: { mean: 121_000, sigma: 5000, step: 100 },
    // nobody has done anything about it
    events: { 15: { off: 85 } },
  },
  {
    // of a tool that nobody has registered: in no series
    ...{ tool: '', terminal: 'T0925590', gauge: 750, machines: ['PR0002 - Schäfer'] },
    ...{ samples: 4, readings: 3, instrument: '' },
    height: { mean: 1225, sigma: 12, step: 1 },
    force: { mean: 117_000, sigma: 6000, step: 100 },
  },
]

type Seeding = { tx: Tx; config: Config; now: number; past: PastWork }

/** Normal enough: Box and Muller. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

function readingsOf({ mean, sigma, step, drift }: Spread, sample: number, count: number, random: Random): number[] {
  const center = mean + (drift?.(sample) ?? 0)
  return Array.from({ length: count }, () => Math.round((center + sigma * normal(random)) / step) * step)
}

/** When the plant measured until yesterday, the oldest first. */
function momentsOf(now: number, timeZone: string): number[] {
  const today = plantDay(now, timeZone)
  const days = Array.from({ length: DAYS }, (_, at) => addDays(today, at - DAYS)).filter((day) => workShare(day) > 0)
  return days.flatMap((day) =>
    times.slice(0, workShare(day) < 1 ? 2 : times.length).map((time) => wallMs(day, time, timeZone)),
  )
}

type Judged = { limits: Limits | null; plan: StoredPlan | null }

function planAt(plans: readonly StoredPlan[], { terminal, gauge, tool }: Story, machine: string, at: number) {
  const flat = plans.map((stored) => ({ ...stored.plan, ...stored }))
  return planFor(flat, { terminal, gauge, unit: tool, machine, branch: '', at })
}

function judgedBy(stored: StoredPlan | null, characteristic: Characteristic): Judged {
  const height = stored?.plan.altura
  const limits =
    characteristic === 'altura' ? height && heightLimits(height) : forceLimits(stored?.plan.forcaMin ?? null, null)
  return limits ? { limits, plan: stored } : { limits: null, plan: null }
}

const verdictOf = ({ limits }: Judged, readings: readonly number[]): Verdict => {
  const [first, ...others] = readings
  return limits && first !== undefined ? judge(limits, [first, ...others]).verdict : 'sem-plano'
}

type Ends = Recording[]

/** Crimps of past work with that terminal and gauge, the oldest first. */
const endsOf = ({ recordings }: PastWork, { terminal, gauge }: Story): Ends =>
  recordings
    .filter((one) => one.part !== 'juncao' && one.terminal === terminal && one.gaugeMilli === gauge)
    .toSorted((one, other) => one.recordedAt - other.recordedAt)

/** The end that was crimped next, or the last one that was. */
function endAt(ends: Ends, at: number) {
  const end = ends.find(({ recordedAt }) => recordedAt >= at) ?? ends.at(-1)
  if (end?.part !== 'l1' && end?.part !== 'l2') throw new Error('past work has no such end')
  return { order_number: end.orderNumber, barcode: end.barcode, part: end.part, lot: end.lot }
}

type Known = { plans: readonly StoredPlan[]; instruments: readonly Instrument[] }
type Act = Known & { nth: number; sample: number; at: number }

function rowsOf({ config, past }: Seeding, story: Story, { nth, sample, at, plans, instruments }: Act, random: Random) {
  const { tool, terminal, gauge, machines, readings, instrument, events, height, force } = story
  const machine = machines[Math.floor(sample / LOT_SAMPLES) % machines.length] ?? ''
  const { cause, invalid, off = 0 } = events?.[sample] ?? {}
  const by = operators[(nth + sample) % operators.length] ?? ''
  const { day, nth: shift } = shiftAt(at, config)
  const stored = planAt(plans, story, machine, at)
  const rowOf = (characteristic: 'altura' | 'forca', values: number[]): NewMeasurement => {
    const judged = judgedBy(stored, characteristic)
    const verdict = verdictOf(judged, values)
    const isNoted = cause && characteristic === 'altura'
    const named = instrument !== '' && characteristic === 'forca' ? 'DIN-01' : instrument
    const measuredDay = plantDay(at, config.timeZone)
    return {
      act_id: `00000000-0000-4000-8000-ce${`${nth}`.padStart(10, '0')}`,
      ...{ characteristic, content_hash: '', recording_id: null, branch: config.plants[0]?.code ?? '' },
      ...endAt(endsOf(past, story), at),
      ...{ position: '', terminal, terminal_key: nameKey(terminal) },
      ...{ gauge_milli: gauge, unit: tool, unit_key: nameKey(tool), unit_cycle: tool === '' ? null : 1, machine },
      ...{ shift: `${day}#${shift}`, occasion: sample % LOT_SAMPLES === 0 ? 'troca-de-lote' : 'novo-turno' },
      instrument: named,
      ...{
        readings_json: JSON.stringify(values),
        n: values.length,
        sum_milli: values.reduce((sum, one) => sum + one, 0),
      },
      ...{ min_milli: Math.min(...values), max_milli: Math.max(...values), source: 'operador' },
      ...{ plan_id: judged.plan?.id ?? null, verdict, action: verdict === 'fora' ? 'ajustei' : null },
      findings: instrumentFindingsOf(
        instruments,
        { code: named, characteristic, readings: values },
        { day: measuredDay, isAsked: false },
      ).join(' '),
      ...{ operator: by, user_id: 1, measured_at: at, measured_day: measuredDay, received_at: at },
      ...{ counted: 1, charted: tool === '' ? 0 : 1 },
      invalid_reason: invalid ?? null,
      ...{ invalid_by: invalid ? 'Maria Souza' : null, invalid_at: invalid ? at + 20 * MINUTE_MS : null },
      ...(isNoted
        ? { cause: cause[0], cause_note: cause[1], cause_by: by, cause_at: at + 5 * MINUTE_MS }
        : { cause: null, cause_note: null, cause_by: null, cause_at: null }),
    }
  }
  const heights = readingsOf(height, sample, readings, random)
  heights[0] = (heights[0] ?? 0) + off
  return [rowOf('altura', heights), rowOf('forca', readingsOf(force, sample, readings, random))]
}

async function treat(tx: Tx, row: NewMeasurement, text: string): Promise<void> {
  const giver = await findQuality(tx)
  const by = { by: giver.fullName, userId: giver.id, at: row.received_at + 40 * MINUTE_MS }
  await insertTreatment(tx, { kind: 'medicao', subject: row.act_id, text, ...by })
}

/** Samples of the last six weeks: one tool drifts, one is steady, one begins; some were noted, one was taken out. */
export async function seedMeasurements(seeding: Seeding): Promise<void> {
  const { tx, config, now } = seeding
  const random = randomFor(1, 'measurements')
  const known: Known = { plans: await listPlans(tx, {}), instruments: await listInstruments(tx) }
  const moments = momentsOf(now, config.timeZone)
  const rows: NewMeasurement[] = []
  for (const [at, story] of stories.entries()) {
    const { samples } = story
    for (let sample = 0; sample < samples; sample++) {
      // tools are measured one after the other
      const moment = (moments[Math.floor((sample * moments.length) / samples)] ?? now) + at * 7 * MINUTE_MS
      const measured = rowsOf(seeding, story, { nth: rows.length / 2 + 1, sample, at: moment, ...known }, random)
      rows.push(...measured)
      const treated = story.events?.[sample]?.treated
      if (measured[0] && treated !== undefined) await treat(tx, measured[0], treated)
    }
  }
  rows.sort((one, other) => one.measured_at - other.measured_at)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await insertMeasurements(tx, rows.slice(at, at + ROWS_AT_ONCE))
  }
  await nameSamples(tx, seeding.past, rows)
}

/** A crimp names the newest good sample that was taken of its end before it. */
async function nameSamples(tx: Tx, { recordings }: PastWork, rows: readonly NewMeasurement[]): Promise<void> {
  const bad = new Set(rows.filter((row) => row.verdict !== 'dentro' || row.invalid_at).map(({ act_id: id }) => id))
  for (const { id, barcode, part, applicator, recordedAt } of recordings) {
    const isOf = (row: NewMeasurement) =>
      row.barcode === barcode && row.part === part && row.unit === (applicator ?? '') && row.measured_at < recordedAt
    const sample = rows.findLast((row) => isOf(row) && !bad.has(row.act_id))
    if (sample) await linkSamples(tx, id, [sample.act_id])
  }
}
