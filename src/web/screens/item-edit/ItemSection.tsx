import { ScanBarcode } from 'lucide-react'
import type { CutItem } from '../../../contract/items.ts'
import { gaugeText, itemCompletionPercent, type SidePart } from '../../../domain/recording-form.ts'
import { sectionOf } from '../../../domain/recordings.ts'
import { orDash } from '../../app/format.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import { Fact } from '../../parts/fields/fields.tsx'
import { WireColour } from '../../parts/wires/WireColour.tsx'
import { WireDrawing } from '../../parts/wires/WireDrawing.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'

export const ItemSection = ({ item }: { item: CutItem }) => (
  <Section
    title="Item"
    icon={<ScanBarcode {...icon.md} />}
    badge={<CompletionBadge percent={itemCompletionPercent(item)} />}
  >
    <div className="grid items-center gap-x-6 gap-y-4 @4xl:grid-cols-[minmax(0,1fr)_22rem]">
      <WireDrawing
        wire={{
          colour: item.Z1_COR,
          gauge: item.Z1_BITOLA,
          marking: item.Z1_GRAVA,
          barcode: item.Z1_CODBAR,
          lengthMm: item.Z1_COMPR,
          left: { kind: 'crimp', ...endsOf(item, 'l1') },
          right: { kind: 'crimp', ...endsOf(item, 'l2') },
        }}
      />
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

const endsOf = (item: CutItem, side: SidePart) => {
  const { terminal, seal } = sectionOf(item, side)
  return { terminal, seal }
}
