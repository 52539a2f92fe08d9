import { useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import type { Junction } from '../../../contract/junctions.ts'
import { usePreferences } from '../../device/preferences.ts'
import { orDash } from '../../text/format.ts'
import { MoreButton } from './MoreButton.tsx'

/** Whose product a junction belongs to, as the ERP's own row says it. */
export const JunctionProduct = ({ junction }: { junction: Junction }) => (
  <ProductHeader
    product={{
      Z1_CLIENTE: junction.Z8_CLIENTE,
      Z1_PRODUTO: junction.Z8_PRODUTO,
      Z1_REVCLI: junction.Z8_REVCLI,
      Z1_REVLTM: junction.Z8_REVLTM,
      Z1_DESCPRO: junction.Z8_DESCPRO,
    }}
  />
)

type Props = {
  product: Pick<CutItem, 'Z1_CLIENTE' | 'Z1_PRODUTO' | 'Z1_REVCLI' | 'Z1_REVLTM' | 'Z1_DESCPRO'>
}

/** Larger text leaves the list little room: what is above it is one line then. */
const ONE_LINE_PERCENT = 130

/** Whose product this is, in which revision. */
export function ProductHeader({ product }: Props) {
  const isOneLine = Number(usePreferences().textSize) >= ONE_LINE_PERCENT
  const [isOpen, setOpen] = useState(false)
  const facts = (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-card max-md:gap-x-6">
      <Fact name="Cliente" text={product.Z1_CLIENTE} />
      <Fact name="Produto" text={product.Z1_PRODUTO} />
      <Fact name="Revisão" text={product.Z1_REVCLI} />
      <Fact name="Revisão interna" text={product.Z1_REVLTM} />
      <Fact name="Descrição" text={product.Z1_DESCPRO} />
    </dl>
  )
  if (!isOneLine) return facts
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-x-3">
        <span className="min-w-0 truncate font-semibold">{orDash(product.Z1_CLIENTE)}</span>
        <span className="code shrink-0 text-muted">{orDash(product.Z1_PRODUTO)}</span>
        <MoreButton isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      </p>
      {isOpen && facts}
    </div>
  )
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div className="min-w-0">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="code font-semibold break-words">{orDash(text)}</dd>
  </div>
)
