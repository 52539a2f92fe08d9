import type { CutItem } from '../../../contract/items.ts'
import type { Junction } from '../../../contract/junctions.ts'
import { type FrozenAct, kindOfPayload } from '../../acts/kinds.ts'

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
    {kindOfPayload(recording)
      .factsOf(recording, item)
      .filter(([, text]) => text)
      .map(([name, text]) => (
        <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="code font-medium break-all">{text}</dd>
        </div>
      ))}
  </dl>
)
