import { CircleCheck, MessageSquarePlus, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { RecentSeries } from '../../../contract/measurements.ts'
import { characteristicTexts, unitOf } from '../../../domain/reports/spc-names.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { ChartDrawing } from '../charts/ChartDrawing.tsx'
import { useMay } from '../permissions.tsx'
import { useSettings } from '../settings.ts'
import { PX_OF_REM, useWidth } from '../useWidth.ts'
import { CauseDialog } from './CauseDialog.tsx'
import { drawingOf } from './drawing.ts'
import { mergedSamples, type RecentSample, recentOf } from './recent.ts'

type Props = {
  /** Series from the item's context; without samples yet an empty one. */
  series: RecentSeries
  /** Samples of the same series in the queue of this device. */
  waiting: readonly RecentSample[]
  /** Called with the newest sample's sentence, for people who cannot see the chart. */
  onSentence: (sentence: string) => void
}

/** 12 rem of text as large as it is set. */
const HEIGHT_REM = 12

/** The small chart at the press after a sample: the last 25 of the series, and the newest in words, without network too. */
export function SmallChart({ series, waiting, onSentence }: Props) {
  const { forceUnit } = useSettings()
  const mayNote = useMay('record')
  const frame = useRef<HTMLDivElement>(null)
  const { width, fontPx } = useWidth(frame)
  const [isNoting, setNoting] = useState(false)
  const all = useMemo(() => mergedSamples(series.amostras, waiting), [series, waiting])
  const { drawn, sentence, hasSignal } = useMemo(() => recentOf(series, all), [series, all])
  const newest = all.at(-1)
  const say = useEffectEvent(() => onSentence(`${characteristicTexts[series.caracteristica]}: ${sentence}`))
  // biome-ignore lint/correctness/useExhaustiveDependencies: said of each sample
  useEffect(say, [newest?.id, sentence])
  const known = new Set(series.amostras.map(({ id }) => id))
  const waitingCount = all.filter(({ id }) => !known.has(id)).length
  const isWaiting = newest !== undefined && !known.has(newest.id)
  const name = [characteristicTexts[series.caracteristica], unitOf(series.caracteristica, forceUnit)].filter(Boolean)
  const size = { width, height: (HEIGHT_REM * fontPx) / PX_OF_REM, fontPx }
  const SignIcon = hasSignal ? TriangleAlert : CircleCheck
  return (
    <section aria-label={`Carta de controle: ${name[0]}`} className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span className="font-semibold">{name.join(', ')}: últimas amostras</span>
        {waitingCount > 0 && <span>{`${waitingCount} neste dispositivo`}</span>}
      </p>
      <div ref={frame} className="h-48 overflow-hidden rounded-md border border-line bg-surface">
        {width > 0 && drawn.points.length > 0 && (
          <ChartDrawing
            shapes={drawingOf(drawn, size)}
            size={size}
            label={`Últimas ${drawn.points.length} amostras. ${sentence}`}
          />
        )}
      </div>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className={`flex items-center gap-2 font-medium ${hasSignal ? 'text-warn-ink' : ''}`}>
          {drawn.limits && <SignIcon {...icon.md} className="shrink-0" />}
          <span>{sentence}</span>
        </p>
        {hasSignal && newest && mayNote && (
          <Button
            icon={<MessageSquarePlus {...icon.md} />}
            isDisabled={isWaiting}
            title={isWaiting ? 'Depois que a medição for enviada' : ''}
            onPress={() => setNoting(true)}
          >
            Anotar causa
          </Button>
        )}
      </div>
      {isNoting && newest && (
        <CauseDialog id={newest.id} characteristic={series.caracteristica} onClose={() => setNoting(false)} />
      )}
    </section>
  )
}
