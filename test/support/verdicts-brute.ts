/**
 * What the design says of a press of 'Registrar', in plain loops over a plain list: `quality/D-containment.md` §1, written apart from
 * the product and importing nothing of it.
 */

type What = 'altura' | 'forca' | 'largura'

/** One characteristic that one act of this order has read. */
export type BruteReading = {
  act: string
  at: number
  what: What
  values: readonly number[]
  press: string
  tool: string
  reel: string
  isTyped: boolean
  hasTwoWires: boolean
  isOfShiftBefore: boolean
  isNamed: boolean
  /** Taken out, or not to be trusted: it clears nothing and is no first piece; its form still shows it. */
  isOut?: boolean
  /** As it was judged when it was made; left out: by the plan of now. */
  verdict?: 'dentro' | 'fora' | 'sem-plano'
}

/** Bounds in thousandths; a plan without one asks nothing of it. */
type BrutePlan = {
  altura?: { low: number; high: number; nominal: number }
  largura?: { low: number; high: number }
  forceMin?: number
  isTypedEnough: boolean
}

type BrutePress = {
  press: string
  tool: string
  reel: string
  /** Acts that the form names; one of which nothing is known yet may have given it any value. */
  named: readonly string[]
  /** As the form shows them. */
  values: Record<'altura' | 'forca', { milli: number; isMeasured: boolean }>
}

export const nameOf = (text: string) => text.split(' - ')[0]?.trim().toLowerCase() ?? ''

/** Null: the plan says nothing of it. */
function isBad(plan: BrutePlan, what: What, values: readonly number[]): boolean | null {
  if (what === 'forca')
    return plan.forceMin === undefined ? null : values.some((one) => one < (plan.forceMin as number))
  const bounds = plan[what]
  return bounds === undefined ? null : values.some((one) => one < bounds.low || one > bounds.high)
}

/** Null: nothing judged it. */
function isBadReading(plan: BrutePlan, one: BruteReading): boolean | null {
  if (one.hasTwoWires || one.verdict === 'sem-plano') return null
  return one.verdict ? one.verdict === 'fora' : isBad(plan, one.what, one.values)
}

/** The last in time of those that fit. */
function lastOf(readings: readonly BruteReading[], fits: (one: BruteReading) => boolean): BruteReading | null {
  let last: BruteReading | null = null
  for (const one of readings) if (fits(one) && (last === null || one.at > last.at)) last = one
  return last
}

/** True: bad, false: good; left out: the form adds nothing of it. */
function ownOf(plan: BrutePlan, readings: readonly BruteReading[], press: BrutePress) {
  const isEachKnown = press.named.every((id) => readings.some(({ act }) => act === id))
  const own: Partial<Record<What, boolean>> = {}
  for (const what of ['altura', 'forca'] as const) {
    const { milli, isMeasured } = press.values[what]
    const named = lastOf(readings, (one) => one.isNamed && one.what === what)
    if (named === null && !(isMeasured && isEachKnown)) continue
    if (named !== null) {
      let shown = named.values[0] as number
      for (const one of named.values) {
        if (what === 'forca') shown = Math.min(shown, one)
        else if (Math.abs(one - 1100) > Math.abs(shown - 1100)) shown = one
      }
      if (shown === milli) continue
    }
    const bad = isBad(plan, what, [milli])
    if (bad === null) continue
    const isNamedBad = named !== null && !named.isOut && isBadReading(plan, named) === true
    const isAnyBad = bad || isNamedBad
    if (plan.isTypedEnough || isAnyBad) own[what] = isAnyBad
  }
  return own
}

const reasons = ['primeira-peca', 'troca-de-lote', 'troca-de-mini-aplicador', 'troca-de-maquina', 'novo-turno'] as const

/** Why a first piece of it is missing; null: it was measured for this reel, tool, press and shift. */
function reasonOf(readings: readonly BruteReading[], what: What, press: BrutePress, isTypedEnough: boolean) {
  const counts = (one: BruteReading) => one.what === what && !one.isOut && (isTypedEnough || !one.isTyped)
  const isReel = (one: BruteReading) => one.reel.trim() === press.reel.trim()
  const isTool = (one: BruteReading) => nameOf(one.tool) === nameOf(press.tool)
  const isPress = (one: BruteReading) => nameOf(one.press) === nameOf(press.press)
  const here = lastOf(readings, (one) => counts(one) && isReel(one) && isTool(one) && isPress(one))
  const last = here ?? lastOf(readings, counts)
  if (last === null) return 'primeira-peca'
  if (!isReel(last)) return 'troca-de-lote'
  if (!isTool(last)) return 'troca-de-mini-aplicador'
  if (!isPress(last)) return 'troca-de-maquina'
  return last.isOfShiftBefore ? 'novo-turno' : null
}

/** Characteristics outside; why a first piece is due, and of which characteristics where others were measured. */
export function bruteGate(plan: BrutePlan, readings: readonly BruteReading[], press: BrutePress) {
  const own = ownOf(plan, readings, press)
  const outside: What[] = []
  for (const what of ['altura', 'forca', 'largura'] as const) {
    if (isBad(plan, what, []) === null) continue
    const last = lastOf(readings, (one) => {
      const isHere = nameOf(one.tool) === nameOf(press.tool) && nameOf(one.press) === nameOf(press.press)
      if (one.what !== what || one.isOut || isBadReading(plan, one) === null || !isHere) return false
      return plan.isTypedEnough || !one.isTyped || isBadReading(plan, one) === true
    })
    const isLastBad = last !== null && isBadReading(plan, last) === true
    if (own[what] ?? isLastBad) outside.push(what)
  }
  const wanted = (['altura', 'forca'] as const).filter((what) => isBad(plan, what, []) !== null)
  const missing: What[] = []
  const found = new Set<string>()
  for (const what of wanted) {
    if (plan.isTypedEnough && own[what] !== undefined) continue
    const reason = reasonOf(readings, what, press, plan.isTypedEnough)
    if (reason === null) continue
    missing.push(what)
    found.add(reason)
  }
  const due = reasons.find((one) => found.has(one)) ?? null
  return { outside, due, missing: missing.length < wanted.length ? missing : [] }
}
