import { useMemo, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { type ItemStage, itemStages, stageOf } from '../../../domain/acts/item-lists.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { itemHere } from '../../acts/waiting-list.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { formatCount } from '../../text/format.ts'

const texts: Record<ItemStage, string> = { open: 'Pendentes', begun: 'Em andamento', done: 'Prontos' }

/** Kept for the way back from an item. */
const KEY = 'cut-crimp-stage'

/** `list`: what was searched; another order begins with all of its items. */
type Stored = { list: string; stage: ItemStage | null }

function storedStage(list: string): ItemStage | null {
  const stored = readFromTab(KEY) as Partial<Stored> | null
  return stored?.list === list ? (itemStages.find((stage) => stage === stored.stage) ?? null) : null
}

/** The items of the chosen stage; all of them while none is chosen. */
export function useStages(items: readonly CutItem[], list: string) {
  const waiting = useWaiting()
  const [stored, setStored] = useState(() => storedStage(list))
  const staged = useMemo(
    () => items.map((item) => ({ item, stage: stageOf(itemHere(waiting ?? [], item).item) })),
    [items, waiting],
  )
  const countOf = (stage: ItemStage) => staged.filter((one) => one.stage === stage).length
  // one that has run empty would hide what was searched
  const chosen = stored !== null && countOf(stored) > 0 ? stored : null
  const shown = staged.filter(({ stage }) => chosen === null || stage === chosen).map(({ item }) => item)
  const choose = (stage: ItemStage) => {
    const next = stage === chosen ? null : stage
    setStored(next)
    writeToTab(KEY, { list, stage: next } satisfies Stored)
  }
  return { shown, chosen, countOf, choose }
}

type Props = Omit<ReturnType<typeof useStages>, 'shown'>

export const StageChips = ({ chosen, countOf, choose }: Props) => (
  <fieldset aria-label="Situação dos itens" className="flex flex-wrap gap-2">
    {itemStages.map((stage) => {
      const count = countOf(stage)
      return (
        <button
          key={stage}
          type="button"
          disabled={count === 0}
          aria-pressed={stage === chosen}
          onClick={() => choose(stage)}
          className="inline-flex min-h-11 items-center gap-2 rounded-full border border-edge bg-surface px-4 font-medium hover:bg-hover disabled:border-line disabled:bg-sunken disabled:text-muted aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:font-semibold aria-pressed:text-brand-ink"
        >
          {texts[stage]}
          <span className="text-muted">{formatCount(count)}</span>
        </button>
      )
    })}
  </fieldset>
)
