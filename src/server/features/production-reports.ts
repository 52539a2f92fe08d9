import type { FastifyInstance } from 'fastify'
import {
  type AskedShift,
  type Grouping,
  type ProductionReport,
  type ProductionTotals,
  productionReports,
  SHIFT_DAYS_MAX,
} from '../../contract/production-reports.ts'
import { addDays, dayStartMs, daysBetween, toInstant } from '../../domain/plant/plant-time.ts'
import {
  hoursOf,
  type Shift,
  type ShiftPlan,
  type Span,
  shiftAt,
  shiftBefore,
  shiftOf,
  shiftsOf,
} from '../../domain/plant/shifts.ts'
import { cutAt, periodBefore, shiftLine } from '../../domain/reports/production-reports.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import type { Reader } from '../store/db/db.ts'
import { addTotals, productionReport, productionTotals, reportOf, spanTotals } from '../store/production-reports.ts'
import { spanLines } from '../store/shift-reports.ts'
import { requirePeriod } from './charts.ts'

export function productionReportRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, productionReports.get, async ({ query }, { db, config, now }) => {
    const { inicio = '', fim = '', turno, por: by, filial: branch } = query
    if (branch !== undefined) requirePlant(branch, context)
    const request = { db: db.read, branch, by, plan: config, nowMs: now() }
    if (turno) return await reportOfShift(turno, request)
    requirePeriod({ inicio, fim })
    return await reportOfDays({ start: inicio, end: fim }, request)
  })

  bind(app, context, productionReports.ownShift, async (_, { db, config, now, caller }) => {
    const shift = shiftAt(now(), config)
    const hours = hoursOf(shift)
    const ofPerson = { branch: undefined, userId: caller.userId }
    const porHora: number[] = []
    for await (const { cortes, crimpagens, juncoes } of spanLines(db.read, { ...ofPerson, by: null, spans: hours })) {
      // MariaDB gives sums as text, and either database null of no row
      porHora.push(Number(cortes) + Number(crimpagens) + Number(juncoes))
    }
    const { naoMedidos, ...totais } = await spanTotals(db.read, [shift], ofPerson)
    const turno = { inicio: toInstant(shift.startMs), fim: toInstant(shift.endMs) }
    return { turno, totais, naoMedidos, porHora: hours.map((_hour, at) => porHora[at] ?? 0) }
  })
}

type Request = { db: Reader; branch: string | undefined; by: Grouping; plan: ShiftPlan; nowMs: number }

/** What each shift made, or what was made in them by a column. */
async function shiftLines(shifts: readonly Shift[], { db, branch, by, plan }: Request): Promise<ProductionReport> {
  async function* named() {
    const lines = spanLines(db, { spans: shifts, branch, by: by === 'turno' ? null : by })
    for await (const { span, naoMedidos: _, ...line } of lines) {
      yield by === 'turno' ? { ...line, nome: shiftLine(span, plan.timeZone) } : line
    }
  }
  return await reportOf(db, by, named())
}

async function reportOfShift(named: AskedShift, request: Request): Promise<ProductionReport> {
  const { db, branch, plan, nowMs } = request
  const on = shiftAt(nowMs, plan)
  const shift = named === 'este' ? on : shiftBefore(on, plan)
  const { naoMedidos } = await spanTotals(db, [shift], { branch })
  const before = shiftOf(addDays(shift.day, -1), shift.nth, plan)
  const asFar = cutAt([before], before.startMs + nowMs - shift.startMs)
  const { naoMedidos: _, ...antes } = await spanTotals(db, asFar, { branch })
  const turno = { inicio: toInstant(shift.startMs), fim: toInstant(shift.endMs) }
  return { ...(await shiftLines([shift], request)), turno, antes, naoMedidos }
}

type Days = { start: string; end: string }

const daysOf = ({ start, end }: Days) =>
  Array.from({ length: daysBetween(start, end) + 1 }, (_, at) => addDays(start, at))

async function reportOfDays(days: Days, request: Request): Promise<ProductionReport> {
  const { db, branch, by, plan } = request
  const isShort = daysBetween(days.start, days.end) < SHIFT_DAYS_MAX
  if (by === 'turno' && !isShort) throw new Refused('period_too_long')
  const report =
    by === 'turno'
      ? await shiftLines(shiftsOf(daysOf(days), plan), request)
      : await productionReport(db, { period: { from: days.start, to: days.end }, by, branch })
  if (!isShort) return report
  const { naoMedidos } = await spanTotals(
    db,
    daysOf(days).map((day) => spanOf(day, plan)),
    { branch },
  )
  return { ...report, antes: await totalsBefore(days, request), naoMedidos }
}

const spanOf = (day: string, { timeZone }: ShiftPlan): Span => ({
  startMs: dayStartMs(day, timeZone),
  endMs: dayStartMs(addDays(day, 1), timeZone),
})

/** Whole days from the roll-up; of shifts, and of a day that is cut, only recordings know. */
async function totalsBefore(days: Days, { db, branch, by, plan, nowMs }: Request): Promise<ProductionTotals> {
  const { reachedMs, ...before } = periodBefore(days, nowMs, plan.timeZone)
  const all = daysOf(before)
  const whole = by === 'turno' ? [] : all.filter((day) => spanOf(day, plan).endMs <= reachedMs)
  const rest = by === 'turno' ? shiftsOf(all, plan) : all.slice(whole.length).map((day) => spanOf(day, plan))
  const { naoMedidos: _, ...cut } = await spanTotals(db, cutAt(rest, reachedMs), { branch })
  const [from, to] = [whole[0], whole.at(-1)]
  return from ? addTotals(await productionTotals(db, { period: { from, to }, branch }), cut) : cut
}
