import type { ControlLimits, Series, SeriesPoint } from '../../../../contract/spc.ts'
import { delayMinutes, delayText } from '../../../../domain/acts/late-acts.ts'
import { momentTextOf } from '../../../../domain/plant/plant-time.ts'
import { milliText } from '../../../../domain/quality/control-plans.ts'
import { FIXED_SAMPLES, meanOf, readingsOf } from '../../../../domain/reports/spc.ts'
import {
  causeText,
  characteristicTexts,
  OWN_TAKEN_OUT,
  ruleTexts,
  unitOf,
} from '../../../../domain/reports/spc-names.ts'
import { decimalsOf, decimalText } from '../../../../domain/reports/spc-texts.ts'
import { type ChartPoint, type ControlChart, firstRule } from '../../../parts/spc/drawing.ts'
import { type Histogram, outsideCount } from '../../../parts/spc/histogram.ts'
import { formatRecentInstant } from '../../../text/format.ts'

/** dd/MM */
const shortDay = (instant: string, timeZone: string): string => formatRecentInstant(instant, timeZone).slice(0, 5)

type Mark = Series['marcas'][number]
/** Words of a mark before its text. */
const markNames: Record<Mark['tipo'], string> = { lote: 'lote ', maquina: 'máquina ', manutencao: '', plano: '' }

export type Row = {
  nth: number
  point: SeriesPoint
  readings: string
  mean: string
  range: string
  /** Remarks on it, each of a tone. */
  notes: { tone: 'bad' | 'warn' | 'neutral'; text: string }[]
}

export type OneHistogram = { title: string; histogram: Histogram; label: string }

export type OneChart = { title: string; chart: ControlChart; label: string }

/** One series as screen, sheet and picture show it: the same figures. */
export type Shown = {
  series: Series
  decimals: number
  charts: readonly [OneChart, OneChart]
  /** Null: no sample counts. */
  histogram: OneHistogram | null
  rows: Row[]
  marks: string[]
}

const plainMean = ({ medicao: { valores } }: SeriesPoint) => meanOf(readingsOf(valores))

const lookOf = ({ medicao, media }: SeriesPoint): ChartPoint['look'] => {
  if (medicao.invalida) return 'invalid'
  if (media === null) return 'other'
  return medicao.veredito === 'fora' ? 'outside' : 'plain'
}

type Signals = SeriesPoint['sinais']

const ruleOf = (signals: Signals, carta: Signals[number]['carta']): string =>
  firstRule(signals.flatMap((signal) => (signal.carta === carta ? [signal.regra] : [])))

/** In brackets: by limits that are not in force any more. */
const signalOf = ({ sinais, vistos = [] }: SeriesPoint, carta: Signals[number]['carta']): string =>
  ruleOf(sinais, carta) || ruleOf(vistos, carta).replace(/.+/, '($&)')

const signalsText = (signals: Signals): string =>
  signals.map(({ regra, carta }) => (carta === 'media' ? ruleTexts[regra] : `amplitude ${ruleTexts[regra]}`)).join('; ')

const chartPoint =
  (carta: 'media' | 'amplitude') =>
  (point: SeriesPoint): ChartPoint => ({
    value: carta === 'media' ? plainMean(point) : point.amplitude,
    look: carta === 'amplitude' && lookOf(point) === 'outside' ? 'plain' : lookOf(point),
    signal: signalOf(point, carta),
  })

function rowOf(point: SeriesPoint, nth: number, decimals: number, timeZone: string): Row {
  const { medicao, media, amplitude, causa, vistos = [] } = point
  const text = (value: number | null) => (value === null ? '-' : decimalText(value, decimals))
  // a server of the version before knows one
  const { causas = causa ? [{ ...causa, qualidade: false }] : [] } = point
  const { invalida, veredito } = medicao
  return {
    nth,
    point,
    readings: medicao.valores.map((milli) => milliText(milli, decimals - 1)).join(' · '),
    mean: text(media ?? plainMean(point)),
    range: text(amplitude),
    notes: [
      ...(invalida ? [{ tone: 'neutral' as const, text: `Inválida: ${invalida.motivo}` }] : []),
      ...(invalida?.porQuemMediu ? [{ tone: 'warn' as const, text: OWN_TAKEN_OUT }] : []),
      ...(veredito === 'fora' && !invalida ? [{ tone: 'bad' as const, text: 'Fora da tolerância' }] : []),
      ...(point.sinais.length > 0 ? [{ tone: 'warn' as const, text: `Sinal: ${signalsText(point.sinais)}` }] : []),
      ...(vistos.length > 0 ? [{ tone: 'neutral' as const, text: `Sinal quando visto: ${signalsText(vistos)}` }] : []),
      ...(medicao.apontamentos.includes('registrado-depois')
        ? [{ tone: 'warn' as const, text: lateText(medicao, timeZone) }]
        : []),
      ...(media === null && !invalida ? [{ tone: 'neutral' as const, text: 'Outro número de leituras' }] : []),
      ...causas.map((one) => ({ tone: 'neutral' as const, text: causeText(one, momentTextOf(timeZone)) })),
    ],
  }
}

/** 'Registrado depois: recebido em 21/11/2026 12:00, 20 d depois' */
function lateText({ medidoEm, recebidoEm = medidoEm }: SeriesPoint['medicao'], timeZone: string): string {
  const minutes = delayMinutes(Date.parse(medidoEm), Date.parse(recebidoEm))
  const when = `: recebido em ${formatRecentInstant(recebidoEm, timeZone)}, ${delayText(minutes ?? 0)} depois`
  return `Registrado depois${minutes === null ? '' : when}`
}

/** In words, for who does not see it. */
function described(title: string, { points, limits, decimals }: ControlChart): string {
  const text = (value: number) => decimalText(value, decimals)
  const extent = `Carta de ${points.length} ${points.length === 1 ? 'amostra' : 'amostras'}.`
  const lines = limits
    ? `LSC ${text(limits.upper)}, média ${text(limits.center)}, LIC ${text(limits.lower)}.`
    : 'Ainda sem limites.'
  const all = points.map(({ signal }, index) => ({ signal, nth: index + 1 })).filter(({ signal }) => signal !== '')
  const [seen, now] = [true, false].map((isSeen) =>
    all.flatMap(({ signal, nth }) => (signal.startsWith('(') === isSeen ? [nth] : [])).join(', '),
  )
  const signals = now === '' ? 'Sem sinais.' : `Sinais nas amostras ${now}.`
  return [`${title}.`, extent, lines, signals, ...(seen ? [`Sinais quando vistos nas amostras ${seen}.`] : [])].join(
    ' ',
  )
}

const namesOf = (isSingle: boolean): [string, string] =>
  isSingle ? ['Valores individuais', 'Amplitude móvel'] : ['Médias (X-barra)', 'Amplitudes (R)']

/** Drawn limits: those of means, or those of ranges. */
const linesOf = (limits: ControlLimits | null, carta: 'media' | 'amplitude') =>
  limits && {
    ...(carta === 'media'
      ? { center: limits.media, upper: limits.lscMedia, lower: limits.licMedia }
      : { center: limits.amplitudeMedia, upper: limits.lscAmplitude, lower: limits.licAmplitude }),
    isPreliminary: limits.preliminares,
  }

export function shownOf(series: Series, { timeZone, forceUnit }: { timeZone: string; forceUnit: string }): Shown {
  const { pontos, limites, capacidade, serie, marcas } = series
  const decimals = decimalsOf(
    serie.caracteristica,
    pontos.map(({ medicao }) => ({ values: medicao.valores })),
  )
  const placed = marcas.flatMap(({ em, tipo, texto }) => {
    const at = pontos.findIndex(({ medicao }) => medicao.medidoEm >= em)
    // what it began with is no change
    const isFirst = at === 0 && (tipo === 'lote' || tipo === 'maquina')
    return at < 0 || isFirst
      ? []
      : [{ at, tipo, text: `${formatRecentInstant(em, timeZone)}: ${markNames[tipo]}${texto}` }]
  })
  const days = pontos.map(({ medicao }) => shortDay(medicao.medidoEm, timeZone))
  const marks = [...Map.groupBy(placed, ({ at, tipo }) => `${at} ${tipo}`).values()].flatMap(([first]) =>
    first ? [{ at: first.at, change: first.tipo }] : [],
  )
  const counted = pontos.find(({ media }) => media !== null)
  const isSingle = limites ? limites.tipo === 'I-MR' : counted?.medicao.valores.length === 1
  const unit = unitOf(serie.caracteristica, forceUnit)
  const nameWithUnit = [characteristicTexts[serie.caracteristica], unit && `(${unit})`].filter(Boolean).join(' ')
  const [mean, range] = (['media', 'amplitude'] as const).map((carta, at): OneChart => {
    const name = namesOf(isSingle)[at] ?? ''
    const tolerance = isSingle && carta === 'media' && capacidade ? { tolerance: capacidade } : {}
    const limits = linesOf(limites, carta)
    const chart = { points: pontos.map(chartPoint(carta)), days, limits, ...tolerance, marks, decimals }
    const title = `${name} - ${nameWithUnit}`
    return { title, chart, label: described(title, chart) }
  }) as [OneChart, OneChart]
  const rows = pontos.map((point, at) => rowOf(point, at + 1, decimals, timeZone))
  const histogram = histogramOf(series, decimals, nameWithUnit)
  return { series, decimals, charts: [mean, range], histogram, rows, marks: placed.map(({ text }) => text) }
}

function histogramOf({ pontos, capacidade }: Series, decimals: number, name: string): OneHistogram | null {
  const readings = pontos.flatMap(({ media, medicao }) => (media === null ? [] : medicao.valores))
  if (readings.length === 0) return null
  const { lsl = null, usl = null } = capacidade ?? {}
  const histogram = { readings, tolerance: { lsl, usl }, decimals: decimals - 1 }
  const text = (milli: number) => decimalText(milli / 1000, decimals - 1)
  const outside = outsideCount(histogram)
  const label = [
    `Leituras - ${name}: ${readings.length} de ${text(Math.min(...readings))} a ${text(Math.max(...readings))}.`,
    ...(lsl === null && usl === null
      ? []
      : [outside === 0 ? 'Nenhuma fora da tolerância.' : `${outside} fora da tolerância.`]),
  ].join(' ')
  return { title: `Leituras - ${name}`, histogram, label }
}

/** 'Limites calculados com as 25 primeiras amostras (14/10 a 28/10), de 3 leituras.' */
export function limitsText({ series: { limites }, rows }: Shown, timeZone: string): string {
  if (!limites) return `Ainda sem limites. ${missingText(rows.filter(({ point }) => point.media !== null).length)}`
  const { k, n, de, ate, preliminares, motivo, por } = limites
  const size = `de ${n === 1 ? '1 leitura' : `${n} leituras`}`
  if (preliminares) return `Limites preliminares, com ${k} amostras ${size}. ${missingText(k)}`
  const span = `(${shortDay(de, timeZone)} a ${shortDay(ate, timeZone)}), ${size}`
  return por === 'painel'
    ? `Limites calculados com as ${k} primeiras amostras ${span}.`
    : `Limites recalculados por ${por} com ${k} amostras ${span}: ${motivo}.`
}

/** 'Faltam 13 amostras (12 de 25).' */
function missingText(count: number): string {
  const missing = Math.max(1, FIXED_SAMPLES - count)
  return `${missing === 1 ? 'Falta 1 amostra' : `Faltam ${missing} amostras`} (${count} de ${FIXED_SAMPLES}).`
}
