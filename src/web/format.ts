/** How numbers and moments are written for a person at the plant. */

const integer = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const twoDecimals = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const formatCount = (count: number): string => integer.format(count)

/** mm² as the ERP writes it, with comma or dot; what is not a number is shown as it came. */
export function formatGauge(gauge: string): string {
  const value = Number(gauge.trim().replace(',', '.'))
  return gauge.trim() === '' || Number.isNaN(value) ? gauge.trim() || '-' : twoDecimals.format(value)
}

/** Clamped to 0-100 and cut, not rounded, to one decimal: 99.96 must not read as done. */
export function formatPercent(percent: number): string {
  const tenths = Math.floor(Math.min(100, Math.max(0, percent)) * 10 + 1e-9)
  return `${String(tenths / 10).replace('.', ',')}%`
}

/** Text of 14, letters allowed; another length is shown as it came. */
export function formatCnpj(cnpj: string): string {
  const match = /^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/.exec(cnpj.trim())
  return match ? `${match[1]}.${match[2]}.${match[3]}/${match[4]}-${match[5]}` : cnpj.trim()
}

const moment = (instant: string, timeZone: string, year: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('pt-BR', {
    ...year,
    timeZone,
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(new Date(instant))
    .replace(', ', ' ')

/** dd/MM/yyyy HH:mm */
export const formatInstant = (instant: string, timeZone: string): string =>
  moment(instant, timeZone, { year: 'numeric' })

/** dd/MM HH:mm */
export const formatRecentInstant = (instant: string, timeZone: string): string => moment(instant, timeZone, {})

/** What a field without content shows. */
export const orDash = (text: string): string => text.trim() || '-'
