import { formatCount } from '../../format.ts'
import { Card } from '../../ui/Page.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { type CheckedItem, missingText } from './checked-items.ts'

/** How much of the order has been received, and what is missing: read from across the hall. */
export function CheckProgress({ checked }: { checked: readonly CheckedItem[] }) {
  const received = checked.filter(({ receipt }) => receipt !== 'open').length
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
        <div className="min-w-64 grow basis-64 text-2xl">
          <ProgressBar
            label="Recebimento"
            percent={(100 * received) / checked.length}
            text={`${formatCount(received)} de ${formatCount(checked.length)} recebidos`}
          />
        </div>
        <p className="code min-w-0 grow-2 basis-96 max-md:basis-full">
          {missingText(checked) ?? 'Nada falta: tudo recebido.'}
        </p>
      </div>
    </Card>
  )
}
