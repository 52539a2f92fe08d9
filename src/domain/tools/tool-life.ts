import { type CrimpCounter, type Forecast, UNLIMITED } from '../../contract/crimp-counters.ts'
import { addDays, daysBetween } from '../plant/plant-time.ts'
import { countText } from '../text/numbers.ts'
import { usedPercent, wearLevel, wearWarning } from './crimp-counters.ts'
import { partInSentence } from './wear-parts.ts'

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

/** Mean crimps of a unit on each weekday, in twelfths of a crimp. */
function meansOf(history: ReadonlyMap<string, number>, first: string, today: string): number[] {
  const sums = Array.from({ length: 7 }, () => 0)
  for (const [day, crimps] of history) {
    if (day >= first && day < today) sums[weekday(day)] = (sums[weekday(day)] ?? 0) + crimps
  }
  const [days, begun] = [daysBetween(first, today), weekday(first)]
  return sums.map((crimps, at) => {
    const times = Math.floor(days / 7) + ((at - begun + 7) % 7 < days % 7 ? 1 : 0)
    return times === 0 ? 0 : Math.max(0, (crimps * PARTS) / times)
  })
}

type Wear = Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>

/**
 * When what wears with a unit will reach its limit, counted on from tomorrow by the means of the unit's weekdays: for the
 * unit itself and for its parts. `history`: crimps a day (`YYYY-MM-DD`); days outside of the window before `today` are
 * passed over.
 */
export function forecaster(history: ReadonlyMap<string, number>, today: string): (wear: Wear) => Forecast {
  const from = addDays(today, -FORECAST_DAYS)
  const productive = [...history].flatMap(([day, crimps]) => (crimps > 0 && day >= from && day < today ? [day] : []))
  const [first] = productive.sort()
  const isKnown = first !== undefined && productive.length >= PRODUCTIVE_DAYS_MIN
  const means = isKnown ? meansOf(history, first, today) : []
  const ofWeek = means.reduce((sum, mean) => sum + mean, 0)
  const aproximada = productive.length < SURE_DAYS_MIN
  return ({ numberOfCrimps, limitOfCrimps }) => {
    if (limitOfCrimps === UNLIMITED) return stateOnly('ilimitado')
    if (numberOfCrimps >= limitOfCrimps) return stateOnly('atingido')
    if (!isKnown) return stateOnly('sem-previsao')
    if (ofWeek === 0) return stateOnly('mais-de-um-ano')
    const left = (limitOfCrimps - numberOfCrimps) * PARTS
    const wholeWeeks = Math.ceil(left / ofWeek) - 1
    let rest = left - wholeWeeks * ofWeek
    for (let ahead = 7 * wholeWeeks + 1; ahead <= DAYS_AHEAD_MAX; ahead++) {
      rest -= means[(weekday(today) + ahead) % 7] ?? 0
      if (rest <= 0) return { estado: 'previsto', dia: addDays(today, ahead), emDias: ahead, aproximada }
    }
    return stateOnly('mais-de-um-ano')
  }
}

const dayFormat = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' })

/** 'qui 26/11' */
export const shortDay = (day: string) =>
  `${dayFormat.format(new Date(day)).replace('.', '')} ${day.slice(8)}/${day.slice(5, 7)}`

/** Nearer than this a forecast is told loudly, and by days. */
const SOON_DAYS = 30

/** 'qui 26/11', '11/08/2027' in another year than the day it was said on. */
function forecastDay(day: string, daysAhead: number): string {
  const [year, month, date] = day.split('-')
  return addDays(day, -daysAhead).startsWith(`${year}-`) ? shortDay(day) : `${date}/${month}/${year}`
}

/** '3 dias', 'cerca de 6 semanas', 'cerca de 8 meses' */
function distanceText(days: number): string {
  if (days <= SOON_DAYS) return days === 1 ? '1 dia' : `${days} dias`
  return days <= 2 * SOON_DAYS
    ? `cerca de ${Math.round(days / 7)} semanas`
    : `cerca de ${Math.round(days / 30.4)} meses`
}

const stateTexts: Record<Exclude<Forecast['estado'], 'previsto'>, string> = {
  atingido: 'Atingido',
  ilimitado: '∞',
  'sem-previsao': `Sem previsão: usado em menos de ${PRODUCTIVE_DAYS_MIN} dias`,
  'mais-de-um-ano': 'Mais de um ano',
}

/** 'Previsto: qui 26/11 (3 dias)', with 'cerca de' before it where few days speak for it. */
export function forecastText({ estado, dia, emDias, aproximada }: Forecast): string {
  if (estado !== 'previsto') return stateTexts[estado]
  const days = emDias ?? 0
  return `Previsto: ${aproximada ? 'cerca de ' : ''}${forecastDay(dia ?? '', days)} (${distanceText(days)})`
}

/** At which of the open pieces a unit reaches its limit; null where it does not, or has reached it already. */
export function limitAtPiece({ numberOfCrimps, limitOfCrimps }: Wear, openPieces: number): number | null {
  const left = limitOfCrimps - numberOfCrimps
  return limitOfCrimps === UNLIMITED || left <= 0 || openPieces <= left ? null : left
}

type Worn = Wear & Pick<CrimpCounter, 'miniaplicator' | 'previsao'>

/** `isSoon`: in this order, or within a month. */
type LifeNote = { text: string; isSoon: boolean }

function noteOf(worn: Worn, openPieces: number, warningPercent: number): LifeNote | undefined {
  const { miniaplicator: name, previsao } = worn
  const piece = limitAtPiece(worn, openPieces)
  if (piece !== null) {
    const text = `${name} atinge o limite na peça ${countText(piece)} desta ordem (faltam ${countText(openPieces)}).`
    return { text, isSoon: true }
  }
  if (!previsao?.dia || previsao.emDias === null || wearLevel(worn, warningPercent) !== 'near') return undefined
  const { dia, emDias } = previsao
  const text = `${name}: ${usedPercent(worn)}% · acaba em ${distanceText(emDias)} (${forecastDay(dia, emDias)}).`
  return { text, isSoon: emDias < SOON_DAYS }
}

const capital = (text: string) => text.charAt(0).toLocaleUpperCase('pt-BR') + text.slice(1)

/**
 * Note for the person who works with a tool about its limit and its parts': before a limit is reached, for a part also
 * after it. Undefined: none. `openPieces`: of all sides that the tool is chosen for.
 */
export function lifeNote(unit: CrimpCounter, openPieces: number, warningPercent: number): LifeNote | undefined {
  const ofParts = (unit.pecas ?? []).map((part) => {
    const worn = { ...part, miniaplicator: `${capital(partInSentence(part))} de ${unit.miniaplicator}` }
    const warning = wearWarning(worn)
    return warning === undefined ? noteOf(worn, openPieces, warningPercent) : { text: warning, isSoon: true }
  })
  const notes = [noteOf(unit, openPieces, warningPercent), ...ofParts].filter((note) => note !== undefined)
  if (notes.length === 0) return undefined
  return { text: notes.map(({ text }) => text).join(' '), isSoon: notes.some(({ isSoon }) => isSoon) }
}
