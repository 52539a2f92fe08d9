import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { leaveDrafts, readEditedItem } from '../../acts/drafts.ts'
import { useRecordedHere, useWaiting } from '../../acts/queue-db.ts'
import { useUser } from '../../device/credentials.ts'
import { dropFromTab, readFromTab } from '../../device/store.ts'
import { EDITING_ITEM_KEY, links } from '../../text/links.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { ItemForm } from './ItemForm.tsx'

const RETURN_MS = 2000

const isItem = (value: unknown): value is CutItem =>
  typeof value === 'object' && value !== null && 'Z1_CODBAR' in value && 'aguardandoErp' in value

const itemOrNull = (value: unknown): CutItem | null => (isItem(value) ? value : null)

export function ItemEditScreen() {
  const navigate = useNavigate()
  const navigated = useRouterState({ select: ({ location }) => location.state.item })
  // The draft is newer than the navigation's state, which a reload brings back as it was.
  // what is in a form is its author's: somebody else begins with their own
  const username = useUser()?.username
  const [opened, open] = useState(
    // the list has just left it there for this screen
    () => itemOrNull(readFromTab(EDITING_ITEM_KEY)) ?? readEditedItem() ?? itemOrNull(navigated),
  )
  // once it is on screen: a first drawing may be thrown away and begun anew
  useEffect(() => dropFromTab(EDITING_ITEM_KEY), [])
  const leave = () => {
    leaveDrafts()
    void navigate({ to: links.cutCrimp })
  }
  const waiting = useWaiting()
  const recorded = useRecordedHere()
  // So many fields are drawn in slices, which let a tablet react in between.
  const recordedBefore = useDeferredValue(waiting ? recorded : null, null)
  if (!opened) return <ItemNotFound onLeave={leave} />
  // The device answers at once: nothing is shown that would have to be taken back.
  return (
    recordedBefore && (
      <ItemForm
        key={`${opened.Z1_CODBAR} ${username}`}
        opened={opened}
        recorded={recordedBefore}
        onLeave={leave}
        onOpen={open}
      />
    )
  )
}

function ItemNotFound({ onLeave }: { onLeave: () => void }) {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const timer = setTimeout(() => leave(), RETURN_MS)
    return () => clearTimeout(timer)
  }, [])
  return <EmptyState>Item não encontrado. Retornando à lista...</EmptyState>
}
