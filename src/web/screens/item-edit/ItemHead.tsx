import { ArrowLeft } from 'lucide-react'
import { memo, type Ref, useEffect, useRef, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { present, sectionOf } from '../../../domain/acts/recordings.ts'
import { wireColourName } from '../../../domain/acts/wires.ts'
import { gaugeText, itemCompletionPercent, type SidePart } from '../../../domain/forms/recording-form.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { DocumentsButton } from '../../parts/documents/DocumentsButton.tsx'
import type { WorkInHand } from '../../parts/documents/documents.ts'
import { Fact, Short } from '../../parts/fields/fields.tsx'
import { MoreButton } from '../../parts/lookups/MoreButton.tsx'
import { useSettings } from '../../parts/settings.ts'
import { WireColour } from '../../parts/wires/WireColour.tsx'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import { formatCnpj, orDash } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'

const workOf = ({ Z1_PRODUTO, Z1_REVCLI, Z1_TERML1, Z1_TERML2 }: CutItem): WorkInHand => ({
  product: Z1_PRODUTO.trim(),
  revision: Z1_REVCLI.trim(),
  terminals: [present(Z1_TERML1)?.trim() ?? '', present(Z1_TERML2)?.trim() ?? ''],
})

const endOf = (item: CutItem, side: SidePart) => {
  const { terminal, seal } = sectionOf(item, side)
  return { kind: 'crimp' as const, terminal, seal }
}

const wireOf = (item: CutItem) => ({
  colour: item.Z1_COR,
  gauge: item.Z1_BITOLA,
  marking: item.Z1_GRAVA,
  barcode: item.Z1_CODBAR,
  left: endOf(item, 'l1'),
  right: endOf(item, 'l2'),
})

type Props = {
  item: CutItem
  /** Something of it was measured outside its plan. */
  isOutside: boolean
  areDocumentsOpen: boolean
  onDocuments: (areOpen: boolean) => void
  onLeave: () => void
  ref: Ref<HTMLDivElement>
}

/** The item in hand, in one line of 64 px where there is room for it; the rest behind 'mais'. No key and no reading draws it anew. */
export const ItemHead = memo(function ItemHead(props: Props) {
  const { item, isOutside, areDocumentsOpen, onDocuments, onLeave, ref } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <div ref={ref} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 @4xl:flex-nowrap">
        <section aria-label="Item" className="flex min-h-16 w-full min-w-0 flex-col justify-center @4xl:w-auto">
          <div className="flex items-center gap-x-3 max-md:flex-wrap">
            <CompletionBadge percent={itemCompletionPercent(item)} isOutside={isOutside} />
            <h1 className="text-xl font-semibold tracking-tight whitespace-nowrap">Item {item.Z1_ITEMEST}</h1>
            <dl className="flex min-w-0 gap-x-3 font-semibold max-md:flex-wrap">
              <Short name="Cor">
                <WireColour code={item.Z1_COR} />
              </Short>
              <Short name="Bitola">{orDash(gaugeText(item.Z1_BITOLA))} mm²</Short>
              <div className="min-w-0 truncate" title={`Gravação: ${item.Z1_GRAVA}`}>
                <dt className="sr-only">Gravação</dt>
                <dd className="code inline">{orDash(item.Z1_GRAVA)}</dd>
              </div>
            </dl>
          </div>
          <div className="flex items-center gap-x-3">
            <dl className="flex min-w-0 gap-x-3 text-sm text-muted max-md:flex-wrap">
              <Short name="Produto">{orDash(item.Z1_PRODUTO)}</Short>
              <div className="min-w-0 truncate" title={`Cliente: ${item.Z1_CLIENTE}`}>
                <dt className="sr-only">Cliente</dt>
                <dd className="inline">{orDash(item.Z1_CLIENTE)}</dd>
              </div>
            </dl>
            <MoreButton isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
          </div>
        </section>
        <div className="min-h-16 min-w-48 flex-1 max-md:order-last max-md:basis-full">
          {/* its place is kept: what is filled in comes first */}
          <Later>
            <WireDrawing wire={wireOf(item)} isUncaptioned />
          </Later>
        </div>
        <div className="flex flex-wrap gap-2 @4xl:shrink-0">
          <DocumentsButton work={workOf(item)} isOpen={areDocumentsOpen} onOpenChange={onDocuments} />
          <Button icon={<ArrowLeft {...icon.md} />} aria-label="Voltar para a lista" onPress={onLeave}>
            <span className="max-md:hidden @4xl:@max-6xl:hidden">Voltar para a lista</span>
          </Button>
        </div>
      </div>
      {isOpen && <Rest item={item} />}
    </div>
  )
})

function Rest({ item }: { item: CutItem }) {
  const { plants } = useSettings()
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
      <Fact label="Ordem de produção">{item.Z1_OP}</Fact>
      <Fact label="Filial">{plants.find(({ code }) => code === item.Z1_FILIAL)?.label ?? item.Z1_FILIAL}</Fact>
      <Fact label="Código de barras">{item.Z1_CODBAR}</Fact>
      <Fact label="CNPJ">{formatCnpj(item.Z1_CNPJCLI)}</Fact>
      <Fact label="Revisão">{item.Z1_REVCLI}</Fact>
      <Fact label="Revisão interna">{item.Z1_REVLTM}</Fact>
      <Fact label="Descrição">{item.Z1_DESCPRO}</Fact>
      <Fact label="Cor por extenso">{wireColourName(item.Z1_COR)}</Fact>
    </dl>
  )
}

/** Item and part as the bar names them once the head is out of sight. */
export const AboutItem = ({ item, part }: { item: CutItem; part: string | undefined }) => (
  <p
    role="note"
    aria-label="Item em apontamento"
    className="flex shrink-0 items-center gap-x-3 border-r border-line pr-3 font-semibold text-ink max-md:w-full max-md:border-0"
  >
    <span className="code">{item.Z1_ITEMEST}</span>
    <WireColour code={item.Z1_COR} />
    {part && <span>{part}</span>}
  </p>
)

/** Whether the head has left the page at its top, which the panel's own header covers. */
export function useScrolledPast() {
  const head = useRef<HTMLDivElement>(null)
  const [isScrolledPast, setScrolledPast] = useState(false)
  useEffect(() => {
    if (!head.current) return
    const observer = new IntersectionObserver(
      ([entry]) => entry && setScrolledPast(!entry.isIntersecting && entry.boundingClientRect.top < 0),
      { rootMargin: '-80px 0px 0px 0px' },
    )
    observer.observe(head.current)
    return () => observer.disconnect()
  }, [])
  return { head, isScrolledPast }
}
