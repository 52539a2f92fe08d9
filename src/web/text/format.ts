import { wholePercent } from '../../domain/forms/recording-form.ts'

/** How numbers and moments are written for a person at the plant. */

const integer = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })

export const formatCount = (count: number): string => integer.format(count)

/** Clamped to 0-100. Whole and cut off, so that 99.96 does not read as done. */
export const formatPercent = (percent: number): string => `${wholePercent(percent)}%`

/** Text of 14, letters allowed; another length is shown as it came. */
export function formatCnpj(cnpj: string): string {
  const match = /^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/.exec(cnpj.trim())
  return match ? `${match[1]}.${match[2]}.${match[3]}/${match[4]}-${match[5]}` : cnpj.trim()
}

const writers = new Map<string, Intl.DateTimeFormat>()

/** Kept: making one costs a slow tablet more than a whole row of a long table. */
function writerOf(timeZone: string, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${timeZone} ${hasYear}`
  const writer =
    writers.get(key) ??
    new Intl.DateTimeFormat('pt-BR', {
      ...(hasYear ? { year: 'numeric' } : {}),
      timeZone,
      day: '2-digit',
      month: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  writers.set(key, writer)
  return writer
}

const moment = (instant: string, timeZone: string, hasYear: boolean) =>
  writerOf(timeZone, hasYear).format(new Date(instant)).replace(', ', ' ')

/** dd/MM/yyyy HH:mm */
export const formatInstant = (instant: string, timeZone: string): string => moment(instant, timeZone, true)

/** dd/MM HH:mm */
export const formatRecentInstant = (instant: string, timeZone: string): string => moment(instant, timeZone, false)

/** HH:mm of today, dd/MM HH:mm of any other day. */
export function formatShortInstant(instant: string, timeZone: string, nowMs: number): string {
  const dayOf = (moment: string) => formatInstant(moment, timeZone).slice(0, 10)
  const text = formatRecentInstant(instant, timeZone)
  return dayOf(instant) === dayOf(new Date(nowMs).toISOString()) ? text.slice(-5) : text
}

const MINUTE_MS = 60_000

/** 'há 5 min', cut off. What a clock that is a little behind takes for the future reads as 'agora'. */
export function formatAgo(instant: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(instant)) / MINUTE_MS)
  if (minutes < 1) return 'agora'
  if (minutes < 60) return `há ${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `há ${hours} h`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'há 1 dia' : `há ${days} dias`
}

/** A field without content shows a dash. */
export const orDash = (text: string): string => text.trim() || '-'
