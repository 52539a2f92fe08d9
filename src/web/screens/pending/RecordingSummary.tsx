import type { CutItem } from '../../../contract/items.ts'
import type { Junction } from '../../../contract/junctions.ts'
import { type FrozenAct, kindOfPayload } from '../../acts/kinds.ts'
import type { FrozenScrap } from '../../acts/scraps.ts'
import { reasonTextOf, useReasons } from '../../parts/scraps/reasons.ts'

type Payload = FrozenAct['payload']

/** 'Terminal Lado 1 · 10 peças' */
export const recordingTitle = (recording: Payload): string => kindOfPayload(recording).titleOf(recording)

/** On which item, with what; `item` as it is known here. */
export const RecordingSummary = ({
  recording,
  item = null,
}: {
  recording: Payload
  item?: CutItem | Junction | null
}) => (
  <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
    {'motivo' in recording && <ScrapReason scrap={recording} />}
    {kindOfPayload(recording)
      .factsOf(recording, item)
      .map(([name, text]) => (
        <Fact key={name} name={name} text={text} />
      ))}
  </dl>
)

type FactProps = { name: string; text: string | undefined; look?: string }

const Fact = ({ name, text, look = 'code break-all' }: FactProps) =>
  text && (
    <div className="flex min-w-0 flex-wrap gap-x-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className={`font-medium ${look}`}>{text}</dd>
    </div>
  )

/** Its reason as the plant words it, and beside that what its author wrote. */
function ScrapReason({ scrap: { motivo, texto } }: { scrap: FrozenScrap['payload'] }) {
  const reasons = useReasons()
  const text = [reasonTextOf(reasons, motivo), texto].filter(Boolean).join(' · ')
  return <Fact name="Motivo" text={text} look="wrap-anywhere" />
}
