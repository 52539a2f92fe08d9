import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Calculator, ChartNoAxesColumn, Download, ImageDown, LayoutList, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { SERIES_SAMPLES_MAX, type SeriesKey, type SeriesPoint, spc } from '../../../../contract/spc.ts'
import { isReversed, type Period } from '../../../../domain/plant/periods.ts'
import { plantDay } from '../../../../domain/plant/plant-time.ts'
import { seriesFileName } from '../../../../domain/reports/spc-files.ts'
import { seriesText } from '../../../../domain/reports/spc-names.ts'
import { serverNow } from '../../../device/clock.ts'
import { logFailure } from '../../../device/log.ts'
import { showToast } from '../../../device/toasts.ts'
import { DateField } from '../../../parts/fields/DateField.tsx'
import { useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { CauseDialog } from '../../../parts/spc/CauseDialog.tsx'
import { useServerFile } from '../../../parts/useServerFile.ts'
import { callForFile } from '../../../server/api.ts'
import { exportFile } from '../../../server/export-file.ts'
import { query } from '../../../server/query.ts'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Card, EmptyState } from '../../../ui/Page.tsx'
import { CapabilityCard } from './CapabilityCard.tsx'
import { ControlCharts } from './ControlCharts.tsx'
import { InvalidateDialog } from './InvalidateDialog.tsx'
import { LimitsDialog } from './LimitsDialog.tsx'
import { type PointAct, PointTable } from './PointTable.tsx'
import { PrintedSeries } from './PrintedSeries.tsx'
import { seriesPng } from './picture.ts'
import { limitsText, type Shown, shownOf } from './series.ts'

const queryOf = (series: SeriesKey, { start, end }: Period) => ({
  ...series,
  bitola: String(series.bitola),
  ...(start === '' ? {} : { inicio: start }),
  ...(end === '' ? {} : { fim: end }),
})

type Open = PointAct | { act: 'limits' }

type Props = { series: SeriesKey; onLeave: () => void }

/** One series: its two charts, their table, what it is capable of. Mounted anew for another one. */
export function SeriesView({ series, onLeave }: Props) {
  const { timeZone, forceUnit } = useSettings()
  const [period, setPeriod] = useState<Period>({ start: '', end: '' })
  const [open, setOpen] = useState<Open | null>(null)
  const [chosen, setChosen] = useState<SeriesPoint | null>(null)
  const isWrong = isReversed(period)
  const parts = { query: queryOf(series, isWrong ? { start: '', end: '' } : period) }
  const reading = useQuery({ ...query(spc.get, parts), placeholderData: keepPreviousData })
  const { data } = reading
  const shown = useMemo(() => (data ? shownOf(data, { timeZone, forceUnit }) : null), [data, timeZone, forceUnit])
  const close = () => setOpen(null)
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button icon={<LayoutList {...icon.md} />} onPress={onLeave}>
              Séries
            </Button>
            <h2 className="code min-w-0 text-lg font-semibold wrap-anywhere">{seriesText(series)}</h2>
          </div>
          <div className="flex flex-wrap items-end gap-4">
            <div className="flex min-w-0 flex-1 flex-wrap gap-4 max-md:basis-full md:min-w-72">
              <div className="min-w-40 flex-1">
                <DateField
                  label="Data inicial"
                  value={period.start}
                  onChange={(start) => setPeriod({ ...period, start })}
                />
              </div>
              <div className="min-w-40 flex-1">
                <DateField
                  label="Data final"
                  value={period.end}
                  onChange={(end) => setPeriod({ ...period, end })}
                  error={isWrong ? 'A data final vem antes da data inicial.' : undefined}
                />
              </div>
            </div>
            <Actions series={series} period={period} shown={shown} onLimits={() => setOpen({ act: 'limits' })} />
          </div>
        </div>
      </Card>
      <ReadingState reading={reading} loadingText="Carregando a carta de controle..." />
      {shown && shown.rows.length === 0 && (
        <EmptyState icon={<ChartNoAxesColumn {...icon.xl} />}>Nenhuma amostra neste período.</EmptyState>
      )}
      {shown && shown.rows.length > 0 && (
        <>
          <Notes shown={shown} />
          <CapabilityCard shown={shown} />
          <ControlCharts shown={shown} onChoose={setChosen} />
          <PointTable shown={shown} chosen={chosen} onAct={setOpen} />
          <PrintedSeries shown={shown} />
        </>
      )}
      {open?.act === 'cause' && (
        <CauseDialog
          id={open.point.medicao.id}
          characteristic={series.caracteristica}
          noted={open.point.causas}
          onClose={close}
        />
      )}
      {open?.act === 'invalidate' && <InvalidateDialog point={open.point} onClose={close} />}
      {open?.act === 'limits' && data && <LimitsDialog series={data} onClose={close} />}
    </div>
  )
}

type ActionsProps = { series: SeriesKey; period: Period; shown: Shown | null; onLimits: () => void }

function Actions({ series, period, shown, onLimits }: ActionsProps) {
  const { timeZone } = useSettings()
  const mayPlan = useMay('plans')
  const file = useServerFile({
    ask: () => callForFile(spc.csv, { query: queryOf(series, period) }),
    nameOf: (day) => seriesFileName(series, day),
  })
  const savePicture = async () => {
    if (!shown) return
    try {
      const name = seriesFileName(series, plantDay(serverNow(), timeZone)).replace(/csv$/, 'png')
      exportFile(await seriesPng(shown, limitsTextOf(shown, timeZone)), name, 'grafico_cep')
    } catch (error) {
      logFailure('Imagem da carta de controle', error)
      showToast({ kind: 'error', text: 'A imagem não pôde ser salva. Tente novamente.' })
    }
  }
  const isEmpty = !shown || shown.rows.length === 0 || isReversed(period)
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
      {mayPlan && (
        <Button size="lg" icon={<Calculator {...icon.md} />} isDisabled={isEmpty} onPress={onLimits}>
          {shown?.series.fixarLimites ? 'Fixar limites' : 'Recalcular limites'}
        </Button>
      )}
      <Button
        size="lg"
        icon={<Download {...icon.md} />}
        isDisabled={isEmpty}
        busy={file.isBusy}
        busyText="Exportando..."
        onPress={file.onPress}
      >
        Exportar CSV
      </Button>
      <Button size="lg" icon={<ImageDown {...icon.md} />} isDisabled={isEmpty} onPress={() => void savePicture()}>
        Salvar imagem
      </Button>
      <Button size="lg" icon={<Printer {...icon.md} />} isDisabled={isEmpty} onPress={() => window.print()}>
        Imprimir
      </Button>
    </div>
  )
}

const limitsTextOf = ({ series, rows }: Shown, timeZone: string): string =>
  limitsText(series.limites, timeZone, rows.filter(({ point }) => point.media !== null).length)

/** Base of the limits, and reservations about the numbers. */
function Notes({ shown }: { shown: Shown }) {
  const { timeZone } = useSettings()
  const { cortado, notas } = shown.series
  const notes = [...notas, ...(cortado ? [`As últimas ${SERIES_SAMPLES_MAX} amostras do período.`] : [])]
  return (
    <div className="flex flex-col gap-1">
      <p role="status">{limitsTextOf(shown, timeZone)}</p>
      {notes.map((note) => (
        <p key={note} className="font-medium text-warn-ink">
          {note}
        </p>
      ))}
    </div>
  )
}
