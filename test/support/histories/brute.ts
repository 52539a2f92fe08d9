/**
 * What the design says of a plant in which people measure, record, release and take out, some of it on tablets that deliver late:
 * `quality/D-containment.md` §1 and §3 (the count), `product/auditor.md` A1, A4, A6 and A12, in plain loops over plain lists, written
 * apart from the product and importing nothing of it.
 */
import { type BruteReading, bruteGate, nameOf } from '../verdicts-brute.ts'

export type What = 'altura' | 'forca' | 'largura'
export const whats = ['altura', 'forca', 'largura'] as const
export type Verdict = 'dentro' | 'fora' | 'sem-plano'

/** A version of the one plan, in thousandths. */
export type Version = {
  version: number
  from: number
  altura?: { low: number; high: number; nominal: number }
  largura?: { low: number; high: number }
  forceMin?: number
  isTypedEnough: boolean
}
type Spot = { order: string; tool: string; press: string; reel: string }
/** `at`: when it was done; `receivedAt`: when the server heard of it. */
type Done = { id: string; at: number; receivedAt: number; by: string }
type Readings = Partial<Record<What, readonly number[]>>
/** One of which `counts` is false came without a session to be trusted. */
export type Sample = Done & Spot & { readings: Readings; counts: boolean }
export type Press = Done &
  Spot & {
    pieces: number
    named: readonly string[]
    values: Record<'altura' | 'forca', { milli: number; isMeasured: boolean }>
    release: string | null
    isSaved: boolean
  }
export type Release = Done & {
  order: string
  /** Null: of an older page, which says nothing of what was looked at. */
  acts: readonly string[] | null
  typed: readonly { what: What; milli: number }[]
  pieces: number | null
}
/** One characteristic of one act. */
export type Row = Done &
  Spot & {
    what: What
    values: readonly number[]
    verdict: Verdict
    version: number | null
    isTyped: boolean
    counts: boolean
    out: { by: string; reason: string; isByOwn: boolean } | null
  }
export type Finding = {
  kind: 'bloqueio-sem-rede' | 'fora-do-plano' | 'falta-medir'
  outside: What[]
  missing: What[]
  /** Each that has to be measured well before it is closed; none: any. */
  open: What[]
  releasedBy: string
}
export type Taken = Press & { finding: Finding | null }
export type Refusal = { outside: What[]; due: string | null; missing: What[] }

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LOCAL_MS = -3 * HOUR_MS
const dayOf = (ms: number) => Math.floor((ms + LOCAL_MS) / (24 * HOUR_MS))
/** Shifts begin at 6, 14 and 22. */
const shiftOf = (ms: number) => Math.floor((ms + LOCAL_MS - 6 * HOUR_MS) / (8 * HOUR_MS))

export const holds = (row: Row) => row.counts && row.out === null
/** All that is here is of one plant, terminal and gauge. */
export const isAt = (one: Spot, other: Spot) =>
  nameOf(one.tool) === nameOf(other.tool) && nameOf(one.press) === nameOf(other.press)

function newest<T extends { at: number }>(all: readonly T[], fits: (one: T) => boolean): T | null {
  let found: T | null = null
  for (const one of all) if (fits(one) && (found === null || one.at > found.at)) found = one
  return found
}

/** What a form shows of a sample: of heights the one farthest from nominal, of forces the lowest. */
export function shownOf(what: What, values: readonly number[], nominal: number): number {
  let shown = values[0] as number
  for (const one of values) {
    if (what === 'forca') shown = Math.min(shown, one)
    else if (Math.abs(one - nominal) > Math.abs(shown - nominal)) shown = one
  }
  return shown
}

export class BruteHistory {
  readonly rows: Row[] = []
  readonly presses: Taken[] = []
  readonly releases: (Release & { spentBy: string | null })[] = []
  readonly treated = new Set<string>()
  readonly versions: Version[] = []
  /** Of both orders, in thousandths. */
  readonly orderForceMin = 70_000

  planAt(at: number): Version {
    const found = newest(
      this.versions.map((one) => ({ ...one, at: one.from })),
      (one) => one.from <= at,
    )
    if (!found) throw new Error('no plan holds')
    return found
  }

  /** By the plan that was in force, of force by the order's minimum too. */
  private judge(what: What, values: readonly number[], at: number): Pick<Row, 'verdict' | 'version'> {
    const plan = this.planAt(at)
    if (what === 'forca') {
      const min = Math.max(plan.forceMin ?? 0, this.orderForceMin)
      const verdict = values.some((one) => one < min) ? 'fora' : 'dentro'
      return { verdict, version: plan.forceMin === undefined ? null : plan.version }
    }
    const bounds = plan[what]
    if (!bounds) return { verdict: 'sem-plano', version: null }
    const isOut = values.some((one) => one < bounds.low || one > bounds.high)
    return { verdict: isOut ? 'fora' : 'dentro', version: plan.version }
  }

  /** Verdicts, and pieces since the last good one; null: nothing of it is outside. */
  measure({ readings, ...of }: Sample) {
    const rows: Row[] = []
    for (const what of whats) {
      const values = readings[what]
      if (values) rows.push({ ...of, what, values, ...this.judge(what, values, of.at), isTyped: false, out: null })
    }
    this.rows.push(...rows)
    return { verdicts: rows.map(({ what, verdict }) => [what, verdict]), suspect: this.suspectOf(rows) }
  }

  /** "of an act with two characteristics outside: of both windows, each recording once" */
  private suspectOf(rows: readonly Row[]): number | null {
    const bad = rows.filter(({ verdict }) => verdict === 'fora')
    if (bad.length === 0) return null
    const suspect = new Set<Press>()
    for (const one of bad) {
      const start = newest(
        this.rows,
        (row) => holds(row) && row.what === one.what && row.verdict === 'dentro' && isAt(row, one) && row.at < one.at,
      )
      for (const press of this.presses) {
        if (!isAt(press, one) || press.at > one.at) continue
        if (start ? press.at > start.at : press.order === one.order) suspect.add(press)
      }
    }
    let pieces = 0
    for (const press of suspect) pieces += press.pieces
    return pieces
  }

  private namedOf(press: Press, what: What): Row | null {
    return newest(this.rows, (row) => press.named.includes(row.id) && row.what === what)
  }

  /** What the recording itself says was measured. */
  private ownOf(press: Press): Row[] {
    const { pieces: _p, named: _n, values, release: _r, isSaved: _s, ...of } = press
    const own: Row[] = []
    for (const what of ['altura', 'forca'] as const) {
      const { milli, isMeasured } = values[what]
      const named = this.namedOf(press, what)
      if (named === null ? !isMeasured : shownOf(what, named.values, 1100) === milli) continue
      const judged = this.judge(what, [milli], press.at)
      // "the worse of the two counts": of a bad sample the sample, so what was typed over it clears nothing
      if (named && holds(named) && named.verdict === 'fora' && judged.verdict === 'dentro') judged.verdict = 'sem-plano'
      own.push({ ...of, what, values: [milli], ...judged, isTyped: true, counts: true, out: null })
    }
    return own
  }

  private gateOf(press: Press): Refusal {
    const readings: BruteReading[] = []
    for (const row of this.rows) {
      const isNamed = press.named.includes(row.id)
      if (row.order !== press.order || (row.at > press.at && !isNamed)) continue
      readings.push({
        ...{ act: row.id, at: row.at, what: row.what, values: row.values, press: row.press, tool: row.tool },
        ...{ reel: row.reel, isTyped: row.isTyped, hasTwoWires: false, isNamed, isOut: !holds(row) },
        isOfShiftBefore: shiftOf(row.at) !== shiftOf(press.at),
        verdict: row.verdict,
      })
    }
    return bruteGate(this.planAt(press.at), readings, press)
  }

  /** Where none of a first piece was measured, all that the plan asks for. */
  private missingOf(press: Press, { due, missing }: Refusal): What[] {
    if (due === null || missing.length > 0) return missing
    const plan = this.planAt(press.at)
    return [...(plan.altura ? (['altura'] as const) : []), ...(plan.forceMin === undefined ? [] : (['forca'] as const))]
  }

  /**
   * What counts of a characteristic for a press and is outside: its own value, and beside it the sample that it types over; where its
   * own does not count, the newest at its place.
   */
  private outsideNow(press: Press, what: What): Row[] {
    const { isTypedEnough } = this.planAt(press.at)
    const own = this.ownOf(press).find((row) => row.what === what)
    const named = own ? this.namedOf(press, what) : null
    const isOwn = own !== undefined && (isTypedEnough || own.verdict === 'fora')
    const last = newest(
      this.rows,
      (row) =>
        holds(row) &&
        row.what === what &&
        row.verdict !== 'sem-plano' &&
        row.order === press.order &&
        isAt(row, press) &&
        (row.at <= press.at || press.named.includes(row.id)),
    )
    const counting = [
      ...(own ? [own] : []),
      ...(named && holds(named) ? [named] : []),
      ...(last && !isOwn ? [last] : []),
    ]
    return counting.filter(({ verdict }) => verdict === 'fora')
  }

  /** "bound to the acts it looked at … and to a number of pieces …; a worse sample voids it" */
  private releaseFor(press: Press) {
    const release = this.releases.find(({ id }) => id === press.release)
    if (!release || release.spentBy !== null || release.order !== press.order) return null
    if (dayOf(release.at) !== dayOf(press.at)) return null
    if (release.pieces !== null && press.pieces > release.pieces) return null
    const { acts, typed } = release
    if (acts === null) return release
    for (const what of whats) {
      const looked = this.rows.filter(
        ({ id, order, ...row }) => acts.includes(id) && row.what === what && order === press.order,
      )
      const seen = [
        ...looked.map(({ values }) => values),
        ...typed.flatMap((one) => (one.what === what ? [[one.milli]] : [])),
      ]
      for (const now of this.outsideNow(press, what)) {
        const far = this.farness(now, now.values)
        if (!seen.some((values) => this.farness(now, values) >= far)) return null
      }
    }
    return release
  }

  /** By how much the worst of them is outside what judged a row. */
  private farness({ what, version }: Row, values: readonly number[]): number {
    if (what === 'forca') return -Math.min(...values)
    const bounds = this.versions.find((one) => one.version === version)?.[what]
    return bounds ? Math.max(...values.map((value) => Math.max(bounds.low - value, value - bounds.high, 0))) : 0
  }

  /**
   * Null: it is taken. A release that is named is noted where nothing here asks for one: after maintenance, of every so many pieces
   * and of the last one the tablet alone asks.
   */
  record(press: Press): Refusal | null {
    const gate = this.gateOf(press)
    const isClean = gate.outside.length === 0 && gate.due === null
    const release = this.releaseFor(press)
    if (!isClean && !press.isSaved && release === null) return gate
    let finding: Finding | null = null
    if (!isClean || press.release !== null) {
      const kind = press.isSaved ? 'bloqueio-sem-rede' : gate.outside.length > 0 ? 'fora-do-plano' : 'falta-medir'
      const open = [...new Set([...gate.outside, ...this.missingOf(press, gate)])]
      finding = { kind, outside: gate.outside, missing: gate.missing, open, releasedBy: release?.by ?? '' }
    }
    if (release) release.spentBy = press.id
    this.rows.push(...this.ownOf(press))
    this.presses.push({ ...press, finding })
    return null
  }

  takeOut(id: string, by: string, reason: string): void {
    for (const row of this.rows) if (row.id === id) row.out = { by, reason, isByOwn: row.by === by }
  }

  giveBack(id: string): void {
    for (const row of this.rows) if (row.id === id) row.out = null
  }

  /** The first good reading of a characteristic at a place, whatever the order. */
  firstGoodAfter(spot: Spot, what: What, at: number): Row | null {
    let first: Row | null = null
    for (const row of this.rows) {
      if (!holds(row) || row.what !== what || row.verdict !== 'dentro' || !isAt(row, spot) || row.at <= at) continue
      if (first === null || row.at < first.at) first = row
    }
    return first
  }

  /** 'Medições fora': those that count, or those that were taken out. */
  outsidePage(nowMs: number, isOfTakenOut: boolean) {
    const page = []
    for (const id of new Set(this.rows.map((row) => row.id))) {
      const all = this.rows.filter((row) => row.id === id && row.verdict === 'fora' && row.counts)
      const [first] = all
      if (!first || (first.out !== null) !== isOfTakenOut) continue
      const readings = all.map(({ what, values, at }) => {
        const good = this.firstGoodAfter(first, what, at)
        let since = 0
        for (const press of this.presses) if (isAt(press, first) && press.at > at) since += press.pieces
        return { what, values, good: good?.id ?? null, since: good ? null : since }
      })
      const isMeasured = readings.every(({ good }) => good !== null)
      const isTreated = this.treated.has(id)
      const isLate = nowMs - first.receivedAt > 15 * MINUTE_MS
      const letThrough = this.presses.filter((press) => press.named.includes(id) || press.id === id)
      page.push({
        ...{ id, readings, situation: isTreated ? 'tratada' : isMeasured ? 'medida' : 'aberta', by: first.by },
        isUnanswered: !isOfTakenOut && !isTreated && !isMeasured && isLate,
        releasedBy: letThrough.map(({ finding }) => finding?.releasedBy ?? '').find((name) => name !== '') ?? '',
        out: first.out,
      })
    }
    return page
  }

  /** 'Ocorrências'. */
  findingsPage() {
    const page = []
    for (const press of this.presses) {
      const { finding } = press
      if (!finding) continue
      const { outside, missing, open } = finding
      const isGood = (what: What) => this.firstGoodAfter(press, what, press.at) !== null
      const isMeasured = open.length > 0 ? open.every(isGood) : isGood('altura') || isGood('forca')
      const named = outside.length > 0 ? outside : missing
      page.push({
        ...{ id: press.id, kind: finding.kind, releasedBy: finding.releasedBy, named },
        ...{ situation: isMeasured ? 'medida' : 'aberta', isByOwn: finding.releasedBy === press.by },
      })
    }
    return page
  }
}
