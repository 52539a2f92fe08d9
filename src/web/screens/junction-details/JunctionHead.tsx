import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Junction } from '../../../contract/junctions.ts'
import { Short } from '../../parts/fields/fields.tsx'
import { MoreButton } from '../../parts/lookups/MoreButton.tsx'
import { JunctionProduct } from '../../parts/lookups/ProductHeader.tsx'
import { orDash } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

type Props = {
  title: string
  subtitle: string
  /** Null while it is read. */
  junction: Junction | null
  documents?: ReactNode
  onLeave: () => void
}

/** The junction in hand, in one line of 64 px where there is room for it; the rest behind 'mais'. */
export function JunctionHead({ title, subtitle, junction, documents, onLeave }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 @4xl:flex-nowrap">
        <div className="flex min-h-16 min-w-0 flex-1 flex-col justify-center max-md:min-w-full">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            <p className="text-muted">{subtitle}</p>
          </div>
          {/* its line is there before it is */}
          {!junction && <div className="min-h-7" />}
          {junction && (
            <div className="flex items-center gap-x-3">
              <dl className="flex min-w-0 gap-x-3 text-sm text-muted max-md:flex-wrap">
                <Short name="Produto">{orDash(junction.Z8_PRODUTO)}</Short>
                <div className="min-w-0 truncate" title={`Cliente: ${junction.Z8_CLIENTE}`}>
                  <dt className="sr-only">Cliente</dt>
                  <dd className="inline">{orDash(junction.Z8_CLIENTE)}</dd>
                </div>
              </dl>
              <MoreButton isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
            </div>
          )}
        </div>
        {/* what comes beside a button does not move it */}
        <div className="contents">
          {documents}
          <Button icon={<ArrowLeft {...icon.md} />} title="Voltar para Junções" onPress={onLeave}>
            Voltar para Junções
          </Button>
        </div>
      </div>
      {isOpen && junction && <JunctionProduct junction={junction} />}
    </div>
  )
}
