import { wholePercent } from '../../domain/forms/recording-form.ts'
import { momentTextOf, plantDay } from '../../domain/plant/plant-time.ts'

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

/** dd/MM/yyyy HH:mm */
export const formatInstant = (instant: string, timeZone: string): string => momentTextOf(timeZone)(instant).slice(0, 16)

/** dd/MM HH:mm */
export const formatRecentInstant = (instant: string, timeZone: string): string =>
  formatInstant(instant, timeZone).replace(/\/\d+ /, ' ')

/** HH:mm of today, dd/MM HH:mm of any other day. */
export function formatShortInstant(instant: string, timeZone: string, nowMs: number): string {
  const text = formatRecentInstant(instant, timeZone)
  return plantDay(Date.parse(instant), timeZone) === plantDay(nowMs, timeZone) ? text.slice(-5) : text
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
