import { ScanBarcode } from 'lucide-react'
import type { CutItem } from '../../../contract/items.ts'
import { gaugeText, itemCompletionPercent } from '../../../domain/recording-form.ts'
import { orDash } from '../../format.ts'
import { Fact } from '../../parts/fields.tsx'
import { WireColour } from '../../parts/WireColour.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { CompletionBadge } from './PartStatus.tsx'
import { WireDrawing } from './WireDrawing.tsx'

export const ItemSection = ({ item }: { item: CutItem }) => (
  <Section
    title="Item"
    icon={<ScanBarcode {...icon.md} />}
    badge={<CompletionBadge percent={itemCompletionPercent(item)} />}
  >
    <div className="grid items-center gap-x-6 gap-y-4 @4xl:grid-cols-[minmax(0,1fr)_22rem]">
      <WireDrawing item={item} />
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        <Fact label="Item">{item.Z1_ITEMEST}</Fact>
        <Fact label="Cor">
          <WireColour code={item.Z1_COR} />
        </Fact>
        <Fact label="Bitola">{gaugeText(item.Z1_BITOLA)} mm²</Fact>
        <Fact label="Gravação">{orDash(item.Z1_GRAVA)}</Fact>
        <Fact label="Código de barras">{item.Z1_CODBAR}</Fact>
      </dl>
    </div>
  </Section>
)
