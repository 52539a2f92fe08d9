import type { PlanContent } from '../src/contract/control-plans.ts'
import { addDays, plantDay } from '../src/domain/plant/plant-time.ts'
import { endPlans, insertPlans, listPlans, type PlanActor } from '../src/server/store/control-plans.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { findInstrument, insertInstrument, noteCalibration } from '../src/server/store/instruments.ts'
import { sampleGauges, terminalsFor } from './simulator/sample-catalogue.ts'

const DAY_MS = 86_400_000
const BEGUN_DAYS_AGO = 180
const REVISED_DAYS_AGO = 21

const milli = (value: number) => Math.round(value * 1000)

/** Every terminal with every gauge that it fits. */
const samplePlans: readonly PlanContent[] = sampleGauges.flatMap(({ mm2, forceMinN, crimpHeightMm }) =>
  terminalsFor(mm2).map((terminal): PlanContent => {
    const off = mm2 <= 0.5 ? 50 : 70
    return {
      ...{ terminal, bitola: milli(mm2), altura: { nominal: milli(crimpHeightMm), menos: off, mais: off } },
      ...{ forcaMin: milli(forceMinN), leiturasAltura: 3, leiturasForca: 3, aCadaPecas: 500, ultimaPeca: true },
      ...{ instrumento: 'MIC-ALT', reacao: 'Pare. Separe as peças desde a última medição boa. Ajuste e meça de novo.' },
    }
  }),
)

/** People of quality as they were then: nobody of the demonstration's own users. */
const by = (name: string, at: number): PlanActor => ({ by: name, userId: null, at })
const made = (at: number) => ({ created: by('Rita Melo', at - DAY_MS), approved: by('Bruno Reis', at) })

const isRevised = ({ terminal, bitola }: PlanContent) => terminal === 'T1326030' && bitola === 500

/** T1326030 of 0.50 has had two versions, and a third that holds for its new tool alone. */
export async function seedPlans(tx: Tx, now: number, timeZone: string): Promise<void> {
  const [from, revisedAt] = [now - BEGUN_DAYS_AGO * DAY_MS, now - REVISED_DAYS_AGO * DAY_MS]
  await insertPlans(
    tx,
    samplePlans.map((plan) => ({
      plan: isRevised(plan) ? { ...plan, altura: { nominal: 1120, menos: 50, mais: 50 } } : plan,
      version: 1,
      from,
      ...made(from),
    })),
  )
  const revised = samplePlans.filter(isRevised)
  const ids = (await listPlans(tx, {})).filter(({ plan }) => isRevised(plan)).map(({ id }) => id)
  await endPlans(tx, ids, revisedAt, by('Bruno Reis', revisedAt))
  await insertPlans(
    tx,
    revised.flatMap((plan) => [
      { plan, version: 2, from: revisedAt, ...made(revisedAt) },
      {
        plan: { ...plan, miniaplicador: 'MA-0002', leiturasAltura: 5 },
        version: 1,
        from: revisedAt,
        ...made(revisedAt),
      },
    ]),
  )
  await seedInstruments(tx, now, timeZone)
}

const micrometer = { descricao: 'Micrômetro de altura de crimpagem', resolucao: 1, tipo: 'micrometro' } as const
const caliper = { descricao: 'Paquímetro digital 150 mm', resolucao: 10, tipo: 'paquimetro' } as const
const pullTester = { descricao: 'Dinamômetro de extração 500 N', resolucao: 100, tipo: 'dinamometro' } as const
const CALIBRATED_DAYS = 365

/** Of each the days until its calibration ends: one is over, one is due. */
const sampleInstruments = [
  { codigo: 'MIC-ALT-01', ...micrometer, daysLeft: 210 },
  { codigo: 'MIC-ALT-02', ...micrometer, daysLeft: -12 },
  { codigo: 'PAQ-01', ...caliper, daysLeft: 95 },
  { codigo: 'DIN-01', ...pullTester, daysLeft: 9 },
]

async function seedInstruments(tx: Tx, now: number, timeZone: string): Promise<void> {
  for (const { daysLeft, ...gauge } of sampleInstruments) {
    const calibradoAte = addDays(plantDay(now, timeZone), daysLeft)
    const id = await insertInstrument(tx, { ...gauge, calibradoAte, ativo: true })
    const instrument = await findInstrument(tx, id)
    const at = now + (daysLeft - CALIBRATED_DAYS) * DAY_MS
    const by = { userId: 1, name: 'Maria Souza', at, day: plantDay(at, timeZone) }
    if (instrument) await noteCalibration(tx, instrument, by)
  }
}
