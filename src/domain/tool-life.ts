import { type CrimpCounter, type Forecast, UNLIMITED } from '../contract/crimp-counters.ts'
import { usedPercent, wearLevel } from './crimp-counters.ts'
import { addDays } from './plant-time.ts'

/** Days that a forecast looks back on, today not among them: each weekday four times. */
export const FORECAST_DAYS = 28
const PRODUCTIVE_DAYS_MIN = 3
/** With fewer of them a forecast says 'cerca de'. */
const SURE_DAYS_MIN = 10
const DAYS_AHEAD_MAX = 365
/** Divisible by each number of weekdays that a mean is taken of: sums of such parts are whole numbers. */
const PARTS = 12

const weekday = (day: string) => new Date(day).getUTCDay()

const stateOnly = (estado: Exclude<Forecast['estado'], 'previsto'>): Forecast => ({
  estado,
  dia: null,
  emDias: null,
  aproximada: false,
})

/** What a unit makes on each weekday in the mean, in twelfths of a crimp. */
function meansOf(history: ReadonlyMap<string, number>, first: string, today: string): number[] {
  const sums = Array.from({ length: 7 }, () => ({ crimps: 0, days: 0 }))
  for (let day = first; day < today; day = addDays(day, 1)) {
    const sum = sums[weekday(day)]
    if (!sum) continue
    sum.crimps += history.get(day) ?? 0
    sum.days++
  }
  return sums.map(({ crimps, days }) => (days === 0 ? 0 : Math.max(0, (crimps * PARTS) / days)))
}

/**
 * When a unit will reach its limit, counted on from tomorrow by the means of its weekdays. `history`: crimps a day
 * (`YYYY-MM-DD`); days outside of the window before `today` are passed over.
 */
export function forecast(
  { numberOfCrimps, limitOfCrimps }: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>,
  history: ReadonlyMap<string, number>,
  today: string,
): Forecast {
  if (limitOfCrimps === UNLIMITED) return stateOnly('ilimitado')
  if (numberOfCrimps >= limitOfCrimps) return stateOnly('atingido')
  const from = addDays(today, -FORECAST_DAYS)
  const productive = [...history].flatMap(([day, crimps]) => (crimps > 0 && day >= from && day < today ? [day] : []))
  const [first] = productive.sort()
  if (first === undefined || productive.length < PRODUCTIVE_DAYS_MIN) return stateOnly('sem-previsao')
  const means = meansOf(history, first, today)
  let left = (limitOfCrimps - numberOfCrimps) * PARTS
  for (let ahead = 1; ahead <= DAYS_AHEAD_MAX; ahead++) {
    const day = addDays(today, ahead)
    left -= means[weekday(day)] ?? 0
    if (left <= 0) {
      return { estado: 'previsto', dia: day, emDias: ahead, aproximada: productive.length < SURE_DAYS_MIN }
    }
  }
  return stateOnly('mais-de-um-ano')
}

const dayFormat = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' })

/** 'qui 26/11' */
const shortDay = (day: string) =>
  `${dayFormat.format(new Date(day)).replace('.', '')} ${day.slice(8)}/${day.slice(5, 7)}`

/** 'qui 26/11', with 'cerca de' before it where few days speak for it; null where no day is known. */
export const forecastDayText = ({ dia, aproximada }: Forecast): string | null =>
  dia === null ? null : `${aproximada ? 'cerca de ' : ''}${shortDay(dia)}`

const stateTexts: Record<Exclude<Forecast['estado'], 'previsto'>, string> = {
  atingido: 'Atingido',
  ilimitado: '∞',
  'sem-previsao': `Sem previsão: usado em menos de ${PRODUCTIVE_DAYS_MIN} dias`,
  'mais-de-um-ano': 'Mais de um ano',
}

/** 'Previsto: qui 26/11 (3 dias)' */
export function forecastText(of: Forecast): string {
  const day = forecastDayText(of)
  if (of.estado !== 'previsto') return stateTexts[of.estado]
  return `Previsto: ${day} (${of.emDias === 1 ? '1 dia' : `${of.emDias} dias`})`
}

/** At which of the open pieces a unit reaches its limit; null where it does not, or has reached it already. */
export function limitAtPiece(
  { numberOfCrimps, limitOfCrimps }: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>,
  openPieces: number,
): number | null {
  const left = limitOfCrimps - numberOfCrimps
  return limitOfCrimps === UNLIMITED || left <= 0 || openPieces <= left ? null : left
}

/**
 * What whoever works with a tool should know before its limit is reached; undefined: nothing. `openPieces`: of all sides
 * that it is chosen for.
 */
export function lifeNote(unit: CrimpCounter, openPieces: number, warningPercent: number): string | undefined {
  const piece = limitAtPiece(unit, openPieces)
  if (piece !== null) {
    return `${unit.miniaplicator} atinge o limite na peça ${formatPieces(piece)} desta ordem (faltam ${formatPieces(openPieces)}).`
  }
  const day = unit.previsao && forecastDayText(unit.previsao)
  if (!day || wearLevel(unit, warningPercent) !== 'near') return undefined
  return `${unit.miniaplicator}: ${usedPercent(unit)} %, previsto para ${day}.`
}

const formatPieces = (pieces: number): string => new Intl.NumberFormat('pt-BR').format(pieces)
