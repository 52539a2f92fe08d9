import { type ReactNode, useEffect, useState } from 'react'
import {
  type CrimpCounter,
  crimpCounters,
  LIMIT_CRIMPS_DEFAULT,
  LIMIT_CRIMPS_MAX,
  UNLIMITED,
} from '../../../contract/crimp-counters.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { currentUser } from '../../device/credentials.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { call } from '../../server/api.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import { formatCount } from '../../text/format.ts'
import { counterChange, LOAD_FAILED, limitText, useReload } from './counters.ts'
import { failureText } from './table-parts.tsx'

const WRONG = 'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado'

type TypedLimit = { kind: 'empty' } | { kind: 'limit'; limit: number } | { kind: 'wrong'; problem: string }

const numberIn = (typed: string): number | null => {
  const text = typed.trim()
  if (/^(ilimitado|∞)$/i.test(text)) return UNLIMITED
  const isNegative = text.startsWith('-')
  const value = readWhole(isNegative ? text.slice(1) : text)
  if (Number.isNaN(value)) return null
  return isNegative ? -value : value
}

export function readLimit(typed: string): TypedLimit {
  if (typed.trim() === '') return { kind: 'empty' }
  const limit = numberIn(typed)
  if (limit === null || limit < UNLIMITED || limit === 0) return { kind: 'wrong', problem: WRONG }
  if (limit > LIMIT_CRIMPS_MAX) return { kind: 'wrong', problem: `O limite vai até ${formatCount(LIMIT_CRIMPS_MAX)}` }
  return { kind: 'limit', limit }
}

/** As `readLimit`, but text without a digit is no number and stands for the usual limit, as specified; the box says which one it will be. */
export const readNewLimit = (typed: string): Exclude<TypedLimit, { kind: 'empty' }> => {
  const read = numberIn(typed) === null && !/\d/.test(typed) ? { kind: 'empty' as const } : readLimit(typed)
  return read.kind === 'empty' ? { kind: 'limit', limit: LIMIT_CRIMPS_DEFAULT } : read
}

/** A limit that is being typed. */
export type LimitEdit = {
  typed: string
  /** Version of the unit when the pencil was pressed. */
  versionSeen: number
  /** Fault of the typed limit. */
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

type StoredEdits = Readonly<Record<string, Pick<LimitEdit, 'typed' | 'versionSeen'>>>

const keyOf = () => `limites:${currentUser()?.username ?? ''}`

const readStored = (): Readonly<Record<string, LimitEdit>> =>
  Object.fromEntries(
    Object.entries((readFromTab(keyOf()) as StoredEdits | null) ?? {})
      .filter(([, stored]) => typeof stored?.typed === 'string' && typeof stored.versionSeen === 'number')
      .map(([name, { typed, versionSeen }]) => [name, { ...clean, typed, versionSeen, isRestored: true }]),
  )

/** Also when its screen was left before the answer came. */
function forgetStored(name: string): void {
  const { [name]: _saved, ...rest } = readStored()
  keep(rest)
}

const keep = (edits: Readonly<Record<string, LimitEdit>>) =>
  writeToTab(
    keyOf(),
    Object.fromEntries(Object.entries(edits).map(([name, { typed, versionSeen }]) => [name, { typed, versionSeen }])),
  )

/** Several may be open at once, and stay open while their rows are out of sight, and over a reload. `onSaved` hears the version before. */
export function useLimitEdits(onSaved: (unit: CrimpCounter, versionSeen: number) => void) {
  const [edits, setEdits] = useState(readStored)
  const [savedText, setSavedText] = useState('')
  useEffect(() => keep(edits), [edits])
  const reload = useReload()
  const put = (name: string, edit: LimitEdit) => setEdits((before) => ({ ...before, [name]: edit }))
  const change = (name: string, fields: Partial<LimitEdit>) =>
    setEdits((before) => {
      const edit = before[name]
      return edit ? { ...before, [name]: { ...edit, ...fields } } : before
    })
  const close = (name: string) => setEdits(({ [name]: _closed, ...rest }) => rest)

  const { save: send } = useSave({
    ...counterChange,
    send: setLimit,
    lockKeyOf: ({ unit }) => unit.miniaplicator,
    onSaved: (saved, { unit: { miniaplicator }, versionSeen }) => {
      onSaved(saved, versionSeen)
      forgetStored(miniaplicator)
      close(miniaplicator)
      setSavedText(`Limite de ${miniaplicator}: ${limitText(saved.limitOfCrimps)}`)
    },
    onFailed: (error, { unit: { miniaplicator } }) => {
      const isChanged = isChangedMeanwhile(error)
      const failure = isChanged ? null : failureText('Erro ao atualizar limite de crimpagens', error)
      change(miniaplicator, { isBusy: false, isChanged, failure })
    },
  })

  const open = ({ miniaplicator, limitOfCrimps, version }: CrimpCounter) =>
    put(miniaplicator, { ...clean, typed: String(limitOfCrimps), versionSeen: version })

  const save = (unit: CrimpCounter) => {
    const name = unit.miniaplicator
    const edit = edits[name]
    if (!edit || edit.isBusy) return
    const read = readLimit(edit.typed)
    if (read.kind === 'wrong') return change(name, { problem: read.problem })
    if (read.kind === 'empty' || read.limit === unit.limitOfCrimps) return close(name)
    change(name, { ...clean, isBusy: true })
    send({ unit, limit: read.limit, versionSeen: edit.versionSeen })
  }

  /** Keeps the typed limit, now meant for the unit as it is. */
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
