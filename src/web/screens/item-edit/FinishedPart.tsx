import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { type CutItem, type Part, parts } from '../../../contract/items.ts'
import { traces } from '../../../contract/traces.ts'
import {
  isDoneOutside,
  lastFirst,
  type PartRecording,
  partRecordingOf,
  piecesDoneText,
  recordedTexts,
  unmeasuredText,
} from '../../../domain/acts/finished-parts.ts'
import { completionPercent, isSectionOpen } from '../../../domain/forms/recording-form.ts'
import { type FrozenAct, isOf, kinds } from '../../acts/kinds.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { doneAtServer, type ItemHere } from '../../acts/waiting-list.ts'
import { serverNow } from '../../device/clock.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'
import { formatShortInstant } from '../../text/format.ts'
import { links, traceSearch } from '../../text/links.ts'
import { Section } from '../../ui/Page.tsx'

/** With what the finished parts of an item were recorded. Without network it is what this device has recorded. */
export function useFinished({ item, here }: ItemHere, recorded: readonly FrozenAct[]) {
  const place = { branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR }
  const waiting = useWaiting() ?? none
  const isAsked = parts.some((part) => !isSectionOpen(item, part))
  const round = doneAtServer({ item, here })
  const { data, isSuccess, isPlaceholderData } = useQuery({
    // what was recorded since is in no answer before it
    ...query(traces.find, { query: { termo: place.barcode, tipo: 'barras' } }, { round }),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  const delivered = useDelivered(waiting, round, isSuccess && !isPlaceholderData)
  // what was done about a sample is asked for of those outside alone
  const outside = [...recorded, ...delivered, ...waiting].flatMap((one) =>
    isOf(one, kinds.measurement, { branch: place.branch }) && one.payload.acao ? [one.id] : [],
  )
  return (part: Part): PartRecording[] => {
    const atServer = data?.linhas.filter(({ filial, etapa }) => filial === place.branch && etapa === part) ?? []
    const onDevice = [...(data ? [] : recorded), ...delivered, ...waiting]
    const ofPart = new Map(
      onDevice.flatMap((one) =>
        isOf(one, kinds.cutCrimp, { ...place, part }) ? [[one.id, partRecordingOf(one, outside)]] : [],
      ),
    )
    return lastFirst(atServer, [...ofPart.values()])
  }
}

/** Acts that were delivered since the last answer about them, in this `round` or before. */
function useDelivered(waiting: readonly FrozenAct[], round: number, isAnswered: boolean): readonly FrozenAct[] {
  const [last, setLast] = useState({ waiting, round, delivered: none })
  const gone = last.round === round ? last.delivered : [...last.delivered, ...last.waiting]
  const delivered = isAnswered ? none : gone
  if (last.waiting !== waiting || last.round !== round || last.delivered !== delivered)
    setLast({ waiting, round, delivered })
  return delivered
}

const none: readonly FrozenAct[] = []

type Props = {
  item: CutItem
  part: Part
  title: string
  icon: ReactNode
  recordings: readonly PartRecording[]
  /** Below what was done. */
  children: ReactNode
}

/** Work done in a part in which nothing is left to do. */
export function FinishedPart({ item, part, title, icon, recordings, children }: Props) {
  const { forceUnit, timeZone } = useSettings()
  const momentText = (instant: string) => formatShortInstant(instant, timeZone, serverNow())
  const isOutside = isDoneOutside(recordings)
  const unmeasured = unmeasuredText(recordings)
  const texts = [piecesDoneText(item, part), ...recordedTexts(recordings, { forceUnit, momentText })]
  return (
    <Section
      title={title}
      icon={icon}
      badge={<CompletionBadge percent={completionPercent(item, part)} isOutside={isOutside} />}
      line={
        <>
          <p className="wrap-anywhere">
            {texts.map((text, index) => (
              <Fragment key={text}>
                {index > 0 && ' · '}
                <span className="inline-block">{text}</span>
              </Fragment>
            ))}{' '}
            {isOutside && <strong className="text-bad-ink">· fora do plano </strong>}
            {unmeasured && <strong className="text-warn-ink">· {unmeasured} </strong>}
            {recordings.length > 0 && (
              <Link
                to={links.reports}
                search={traceSearch({ term: item.Z1_CODBAR, kind: 'barras' })}
                // a line is as high with it, which comes later, as without it
                style={{ marginBlock: '-0.625rem' }}
                className="inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-brand-ink underline underline-offset-4"
              >
                Ver tudo
              </Link>
            )}
          </p>
          {children}
        </>
      }
    />
  )
}
