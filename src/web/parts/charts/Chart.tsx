import { ChartColumn, ChartLine, Table2 } from 'lucide-react'
import { memo, useMemo, useRef, useState } from 'react'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { PX_OF_REM, useWidth } from '../useWidth.ts'
import { ChartDrawing } from './ChartDrawing.tsx'
import type { ChartContent } from './content.ts'
import { describeChart } from './content.ts'
import { Legend } from './Legend.tsx'
import { hasLegend, plotOf } from './plot.ts'
import { Reader } from './Reader.tsx'

/** A chart under its title, and the same numbers as a table. It is drawn anew for each new `content`: keep the object. */
export function Chart({ content }: { content: ChartContent }) {
  const [isTable, setTable] = useState(false)
  const ChartIcon = content.kind === 'bar' ? ChartColumn : ChartLine
  const text = isTable ? 'Ver como gráfico' : 'Ver como tabela'
  return (
    <section aria-label={content.title} className="min-w-0 rounded-lg border border-line bg-surface shadow-card">
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 border-b border-line py-1 pr-2 pl-4 max-sm:pt-2">
        <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{content.title}</h2>
        <span className="ml-auto">
          <Button
            variant="quiet"
            aria-label={`${text}: ${content.title}`}
            icon={isTable ? <ChartIcon {...icon.md} /> : <Table2 {...icon.md} />}
            onPress={() => setTable(!isTable)}
          >
            {text}
          </Button>
        </span>
      </header>
      <div className="p-3">
        {isTable ? <Numbers content={content} /> : <Picture key={content.title} content={content} />}
      </div>
    </section>
  )
}

/** A name needs a line's height. In rem, with the class that reserves them. */
const heightOf = ({ isLying = false, isLow = false, categories }: ChartContent) =>
  isLying && categories.length > 10
    ? ({ rem: 34, frame: 'h-[34rem]' } as const)
    : isLow
      ? ({ rem: 12, frame: 'h-48' } as const)
      : ({ rem: 20, frame: 'h-80' } as const)

function Picture({ content }: { content: ChartContent }) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, fontPx } = useWidth(frame)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { rem, frame: frameHeight } = heightOf(content)
  const plot = useMemo(
    () => plotOf(content, { width, height: (rem * fontPx) / PX_OF_REM, fontPx }, hidden),
    [content, width, fontPx, rem, hidden],
  )
  return (
    <>
      <div className="relative">
        <div ref={frame} className={`overflow-hidden ${frameHeight}`}>
          {width > 0 && <PlotDrawing shapes={plot.shapes} size={plot.size} label={describeChart(content)} />}
        </div>
        {width > 0 && <Reader content={content} plot={plot} hidden={hidden} />}
      </div>
      {hasLegend(content) && <Legend content={content} hidden={hidden} onChange={setHidden} />}
    </>
  )
}

/** Drawn once, however much is read over it. */
const PlotDrawing = memo(ChartDrawing)

const Numbers = ({ content: { title, categoryName, categories, series } }: { content: ChartContent }) => (
  <Table label={`${title}, em números`} heightMax="max-h-[500px]">
    <TableHead>
      <Th sticky>{categoryName}</Th>
      {series.map(({ name }) => (
        <Th key={name} align="right">
          {name}
        </Th>
      ))}
    </TableHead>
    <TableBody>
      {categories.map((category, at) => (
        <Row key={category}>
          <Td sticky isThird label={categoryName}>
            <span className="font-semibold wrap-anywhere">{category}</span>
          </Td>
          {series.map(({ name, values }) => (
            <Td key={name} label={name} align="right" isThird>
              {formatCount(values[at] ?? 0)}
            </Td>
          ))}
        </Row>
      ))}
    </TableBody>
  </Table>
)
