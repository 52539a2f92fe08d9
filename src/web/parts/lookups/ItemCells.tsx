import type { CutItem, Part } from '../../../contract/items.ts'
import { codeGroups } from '../../../domain/acts/item-lists.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import { completionPercent, gaugeText } from '../../../domain/forms/recording-form.ts'
import { formatPercent, orDash } from '../../text/format.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Td, Th } from '../../ui/Table.tsx'
import { WireColour } from '../wires/WireColour.tsx'

/** Grouped by what its parts mean; without room for one line broken after the order: never cut, never at random. */
export const Barcode = ({ of }: { of: Parameters<typeof codeGroups>[0] }) => {
  const groups = codeGroups(of)
  const half = Math.ceil(groups.length / 2)
  return (
    <>
      <CodePart groups={groups.slice(0, half)} />
      <wbr className="@min-[68rem]:hidden" />
      <CodePart groups={groups.slice(half)} />
    </>
  )
}

const CodePart = ({ groups }: { groups: readonly string[] }) => (
  <span className="whitespace-nowrap">
    {groups.map((group, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two groups may read alike, and none ever moves
      <span key={at} className="mr-[0.35em] md:@max-[68rem]:mr-[0.2em] md:@max-[68rem]:last:mr-0">
        {group}
      </span>
    ))}
  </span>
)

/** The columns that every list of items begins with. */
export const ItemHeads = () => (
  <>
    <Th sticky>Item</Th>
    <Th>Cor</Th>
    <Th align="right">Bitola</Th>
    <Th>Gravação</Th>
    <Th>Código de Barras</Th>
    <Th>% Corte</Th>
    <Th>%Terminal LD1</Th>
    <Th>%Terminal LD2</Th>
  </>
)

const progress: readonly { part: Part; label: string }[] = [
  { part: 'cabo', label: '% Corte' },
  { part: 'l1', label: '%Terminal LD1' },
  { part: 'l2', label: '%Terminal LD2' },
]

type Props = {
  item: CutItem
  /** Pieces of a part that this device has still to send, where the screen counts them. */
  here?: Record<Part, number>
}

/** Cells under `ItemHeads`. */
export const ItemCells = ({ item, here }: Props) => (
  <>
    <Td label="Item" sticky>
      <strong className="code text-lg md:max-lg:text-base">{orDash(item.Z1_ITEMEST)}</strong>
    </Td>
    <Td label="Cor" isThird>
      <WireColour code={item.Z1_COR} isColumn />
    </Td>
    <Td label="Bitola" align="right" isThird>
      <span className="whitespace-nowrap">{orDash(gaugeText(item.Z1_BITOLA))}</span>
    </Td>
    <Td label="Gravação" isThird>
      <span className={markingLook(item.Z1_GRAVA)}>{orDash(item.Z1_GRAVA)}</span>
    </Td>
    <Td label="Código de Barras">
      <span className="code text-sm md:max-lg:text-xs md:@max-[68rem]:tracking-tighter">
        <Barcode of={item} />
      </span>
    </Td>
    {progress.map(({ part, label }) => {
      const percent = completionPercent(item, part)
      return (
        <Td key={part} label={label} isThird>
          <ProgressBar
            label={label}
            percent={percent}
            text={formatPercent(percent)}
            isOutside={item.foraDoPlano?.includes(part)}
            note={noteOf(item, part, here?.[part] ?? 0)}
          />
        </Td>
      )
    })}
  </>
)

/** Never broken at a hyphen where there is room for it. */
const markingLook = ({ length }: string) =>
  length <= 7 ? 'whitespace-nowrap' : length <= 12 ? 'lg:whitespace-nowrap' : ''

function noteOf(item: CutItem, part: Part, here: number): string | undefined {
  if (here > 0) return 'aguardando envio'
  if (item.aguardandoErp[part] > 0) return 'aguardando ERP'
  return part !== 'cabo' && sectionOf(item, part).terminal === null ? '— sem terminal' : undefined
}
