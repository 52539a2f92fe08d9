import { ChartColumn, ChartLine, Table2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { deferred } from '../../device/deferred.ts'
import { logFailure } from '../../device/log.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { ChartContent } from './content.ts'
import { describeChart } from './content.ts'
import type { Drawing } from './echarts.ts'

const charts = deferred(() => import('./echarts.ts'))

/** One picture of these charts, to be saved. `caption` says of what they are: the period. */
export const pngOf = async (contents: readonly ChartContent[], caption: string): Promise<Blob> => {
  const { chartsPng } = await charts.open()
  return await chartsPng(contents, caption)
}

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
        {isTable ? <Numbers content={content} /> : <Picture content={content} onTable={() => setTable(true)} />}
      </div>
    </section>
  )
}

/** A name needs a line's height. */
const isTall = ({ isLying = false, categories }: ChartContent) => isLying && categories.length > 10

type PictureProps = { content: ChartContent; onTable: () => void }

function Picture({ content, onTable }: PictureProps) {
  const place = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let started: Drawing | null = null
    let isLeft = false
    const start = async () => {
      const { startDrawing } = await charts.open()
      if (isLeft || !place.current) return
      started = startDrawing(place.current)
      setDrawing(started)
    }
    start().catch((error: unknown) => {
      logFailure('Gráfico', error)
      setFailed(true)
    })
    return () => {
      isLeft = true
      started?.stop()
    }
  }, [])
  useEffect(() => drawing?.show(content), [drawing, content])
  if (hasFailed) {
    return (
      <Alert kind="warning" action={<Button onPress={onTable}>Ver como tabela</Button>}>
        O gráfico não pôde ser aberto. Os números estão na tabela.
      </Alert>
    )
  }
  return (
    <div
      ref={place}
      role="img"
      aria-label={describeChart(content)}
      className={isTall(content) ? 'h-[34rem]' : 'h-80'}
    />
  )
}

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
