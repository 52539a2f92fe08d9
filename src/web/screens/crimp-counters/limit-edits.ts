import { type ReactNode, useEffect, useState } from 'react'
import { type CrimpCounter, crimpCounters } from '../../../contract/crimp-counters.ts'
import { call } from '../../api.ts'
import { currentUser } from '../../credentials.ts'
import { keepInTab, keptInTab } from '../../tab-storage.ts'
import { isChangedMeanwhile, LOAD_FAILED, useCounterChange, useReload } from './counters.ts'
import { limitText, readLimit } from './limits.ts'
import { failureText } from './reading-states.tsx'

/** A limit that is being typed. */
export type LimitEdit = {
  typed: string
  /** Of the unit as it was when the pencil was pressed. */
  versionSeen: number
  /** What is wrong with what was typed. */
  problem: string | null
  /** Why it was not saved. */
  failure: ReactNode
  isChanged: boolean
  isBusy: boolean
  /** Typed before this page was opened. */
  isRestored: boolean
}

type Change = { unit: CrimpCounter; limit: number; versionSeen: number }

const setLimit = ({ unit: { miniaplicator }, limit: limitOfCrimps, versionSeen }: Change) =>
  call(crimpCounters.setLimit, { params: { miniaplicator }, body: { miniaplicator, limitOfCrimps } }, { versionSeen })

const clean = { problem: null, failure: null, isChanged: false, isBusy: false, isRestored: false }

type Kept = Readonly<Record<string, Pick<LimitEdit, 'typed' | 'versionSeen'>>>

const keyOf = () => `limites:${currentUser()?.username ?? ''}`

const readKept = (): Readonly<Record<string, LimitEdit>> =>
  Object.fromEntries(
    Object.entries((keptInTab(keyOf()) as Kept | null) ?? {})
      .filter(([, kept]) => typeof kept?.typed === 'string' && typeof kept.versionSeen === 'number')
      .map(([name, { typed, versionSeen }]) => [name, { ...clean, typed, versionSeen, isRestored: true }]),
  )

/** Also when its screen was left before the answer came. */
function forgetKept(name: string): void {
  const { [name]: _saved, ...rest } = readKept()
  keep(rest)
}

const keep = (edits: Readonly<Record<string, LimitEdit>>) =>
  keepInTab(
    keyOf(),
    Object.fromEntries(Object.entries(edits).map(([name, { typed, versionSeen }]) => [name, { typed, versionSeen }])),
  )

/** Several may be open at once, and stay open while their rows are out of sight, and over a reload. `onSaved` hears the version before. */
export function useLimitEdits(onSaved: (unit: CrimpCounter, versionSeen: number) => void) {
  const [edits, setEdits] = useState(readKept)
  const [savedText, setSavedText] = useState('')
  useEffect(() => keep(edits), [edits])
  const send = useCounterChange(setLimit)
  const reload = useReload()
  const put = (name: string, edit: LimitEdit) => setEdits((before) => ({ ...before, [name]: edit }))
  const change = (name: string, fields: Partial<LimitEdit>) =>
    setEdits((before) => {
      const edit = before[name]
      return edit ? { ...before, [name]: { ...edit, ...fields } } : before
    })
  const close = (name: string) => setEdits(({ [name]: _closed, ...rest }) => rest)

  const open = ({ miniaplicator, limitOfCrimps, version }: CrimpCounter) =>
    put(miniaplicator, { ...clean, typed: String(limitOfCrimps), versionSeen: version })

  const save = async (unit: CrimpCounter) => {
    const name = unit.miniaplicator
    const edit = edits[name]
    if (!edit || edit.isBusy) return
    const read = readLimit(edit.typed)
    if (read.kind === 'wrong') return change(name, { problem: read.problem })
    if (read.kind === 'empty' || read.limit === unit.limitOfCrimps) return close(name)
    change(name, { ...clean, isBusy: true })
    try {
      const saved = await send({ unit, limit: read.limit, versionSeen: edit.versionSeen })
      onSaved(saved, edit.versionSeen)
      forgetKept(name)
      close(name)
      setSavedText(`Limite de ${name}: ${limitText(saved.limitOfCrimps)}`)
    } catch (error) {
      const isChanged = isChangedMeanwhile(error)
      const failure = isChanged ? null : failureText('Erro ao atualizar limite de crimpagens', error)
      change(name, { isBusy: false, isChanged, failure })
    }
  }

  /** What was typed stays; it is now meant for the unit as it is. */
  const takeCurrent = async ({ miniaplicator }: CrimpCounter) => {
    try {
      const { version } = await reload(miniaplicator)
      change(miniaplicator, { ...clean, versionSeen: version })
    } catch (error) {
      change(miniaplicator, { failure: failureText(LOAD_FAILED, error) })
    }
  }
  return { edits, open, change, close, save, takeCurrent, savedText }
}

export type LimitEdits = ReturnType<typeof useLimitEdits>
