import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { GridComponentOption, LegendComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { ChartSeries } from '../../../domain/reports/charts.ts'
import { formatCount } from '../../text/format.ts'
import type { ChartContent } from './content.ts'
import type { Look } from './look.ts'

type Series = BarSeriesOption | LineSeriesOption
type ChartOption = ComposeOption<Series | GridComponentOption | LegendComponentOption | TooltipComponentOption>

// Two colours must do: what is drawn beside its like differs by stroke and mark, which also prints without colour.
const strokes = ['solid', 'dashed', 'dotted'] as const
const marks = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle']

/** More than these are a line already. */
const MARKED_POINTS_MAX = 60

export function chartOption(content: ChartContent, look: Look, isAnimated: boolean): ChartOption {
  const { kind, series, isLying = false } = content
  // A single row of bars is named by the title.
  const hasLegend = kind === 'line' || series.length > 1
  const text = { color: look.muted, fontSize: look.fontPx, fontFamily: look.fontFamily }
  return {
    animation: isAnimated,
    animationDuration: 300,
    textStyle: { fontFamily: look.fontFamily },
    grid: {
      left: 8,
      right: 16,
      top: 16,
      bottom: hasLegend ? 3 * look.fontPx : 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: hasLegend
      ? {
          type: 'scroll',
          bottom: 0,
          itemWidth: 32,
          itemGap: 20,
          textStyle: { ...text, color: look.ink },
          pageTextStyle: text,
          pageIconColor: look.ink,
          pageIconInactiveColor: look.line,
          formatter: (name) => labelOf(series, name),
        }
      : { show: false },
    tooltip: tooltipOf(look),
    ...(isLying
      ? { xAxis: numbersOf(look, text), yAxis: { ...categoriesOf(content, look, text), inverse: true } }
      : { xAxis: categoriesOf(content, look, text), yAxis: numbersOf(look, text) }),
    series: series.map((one, at) => seriesOf(content, one, at, look)),
  }
}

/** 'Limite · Previsto: qui 26/11 (3 dias)' */
const labelOf = (series: readonly ChartSeries[], name: string): string => {
  const note = series.find((one) => one.name === name)?.note
  return note ? `${name} · ${note}` : name
}

type LabelText = { color: string; fontSize: number; fontFamily: string }

const categoriesOf = ({ categories, isLying = false }: ChartContent, look: Look, text: LabelText) => ({
  type: 'category' as const,
  data: [...categories],
  axisLine: { lineStyle: { color: look.muted } },
  axisTick: { show: false },
  axisLabel: { ...text, hideOverlap: true, width: (isLying ? 12 : 9) * look.fontPx, overflow: 'truncate' as const },
})

const numbersOf = (look: Look, text: LabelText) => ({
  type: 'value' as const,
  minInterval: 1,
  axisLabel: { ...text, hideOverlap: true, formatter: formatCount },
  splitLine: { lineStyle: { color: look.line } },
})

/** Drawn into the canvas: an element of its own would need inline styles, which the page refuses. */
const tooltipOf = (look: Look): TooltipComponentOption => ({
  trigger: 'axis',
  renderMode: 'richText',
  confine: true,
  axisPointer: { type: 'line', lineStyle: { color: look.muted } },
  backgroundColor: look.surface,
  borderColor: look.muted,
  textStyle: { color: look.ink, fontSize: 1.1 * look.fontPx, fontFamily: look.fontFamily },
  valueFormatter: (value) => formatCount(Number(value)),
})

function seriesOf(
  { kind, categories }: ChartContent,
  { name, values, isLevel = false }: ChartSeries,
  at: number,
  look: Look,
): Series {
  const color = look.series[at % 2 === 0 ? 0 : 1]
  if (kind === 'bar' && !isLevel) return { type: 'bar', name, data: [...values], color, barMaxWidth: 48 }
  return {
    type: 'line',
    name,
    data: [...values],
    color,
    symbol: isLevel ? 'none' : (marks[at % marks.length] ?? 'circle'),
    symbolSize: 8,
    showSymbol: categories.length <= MARKED_POINTS_MAX,
    showAllSymbol: true,
    lineStyle: { width: 2, type: strokes[Math.floor(at / 2) % strokes.length] ?? 'solid' },
    emphasis: { focus: 'series' },
  }
}
