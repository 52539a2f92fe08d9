import { useMemo, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { type ItemStage, itemStages, stageOf } from '../../../domain/item-lists.ts'
import { formatCount } from '../../app/format.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { itemHere, useWaiting } from '../../recording/queue-db.ts'

const texts: Record<ItemStage, string> = { open: 'Pendentes', begun: 'Em andamento', done: 'Prontos' }

/** Kept for the way back from an item. */
const KEY = 'cut-crimp-stage'

/** `list`: what was searched; another order begins with all of its items. */
type Kept = { list: string; stage: ItemStage | null }

function keptStage(list: string): ItemStage | null {
  const kept = readFromTab(KEY) as Partial<Kept> | null
  return kept?.list === list ? (itemStages.find((stage) => stage === kept.stage) ?? null) : null
}

/** The items of the chosen stage; all of them while none is chosen. */
export function useStages(items: readonly CutItem[], list: string) {
  const waiting = useWaiting()
  const [asked, setAsked] = useState(() => keptStage(list))
  const staged = useMemo(
    () => items.map((item) => ({ item, stage: stageOf(itemHere(waiting ?? [], item).item) })),
    [items, waiting],
  )
  const countOf = (stage: ItemStage) => staged.filter((one) => one.stage === stage).length
  // one that has run empty would hide what was searched
  const chosen = asked !== null && countOf(asked) > 0 ? asked : null
  const shown = staged.filter(({ stage }) => chosen === null || stage === chosen).map(({ item }) => item)
  const choose = (stage: ItemStage) => {
    const next = stage === chosen ? null : stage
    setAsked(next)
    writeToTab(KEY, { list, stage: next } satisfies Kept)
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
