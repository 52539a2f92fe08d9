import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Endpoint } from '../../contract/endpoint.ts'
import { showToast } from '../device/toasts.ts'
import { ApiError, errorText } from './api.ts'
import { invalidate } from './query.ts'
import { validate } from './session.ts'

type Save<Sent, Answer> = {
  send: (sent: Sent) => Promise<Answer>
  /** Rows whose answers are read anew, also after a refusal: what refused it may be shown there. */
  changes?: readonly Endpoint[]
  /** Done only when these have been read: what is shown after it is never what was before it. */
  isDoneWhenShown?: boolean
  /** Two of one lane are never under way at once. */
  lockKeyOf?: (sent: Sent) => string
  /** Toast of a success. */
  toast?: string | ((answer: Answer) => Parameters<typeof showToast>[0])
  /** Both are called also when whoever began it is off the screen by then. */
  onSaved?: (answer: Answer, sent: Sent) => void
  onFailed?: (error: Error, sent: Sent) => void
  /** Takes in the row as somebody else has saved it meanwhile. */
  reread?: () => Promise<void>
}

export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'changed_meanwhile'

/** The one way to save what a person has changed. A second press before the first is answered does nothing. */
export function useSave<Sent = void, Answer = unknown>(options: Save<Sent, Answer>) {
  const { send, changes = [], isDoneWhenShown = false, lockKeyOf, toast, onSaved, onFailed, reread } = options
  const queries = useQueryClient()
  const [busyCount, setBusyCount] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const [isChanged, setChanged] = useState(false)
  /** The second press of a double click comes before the screen has been drawn again. */
  const underWay = useRef(new Set<string>())

  const readAnew = () => Promise.all(changes.map((endpoint) => invalidate(queries, endpoint)))
  const fail = (thrown: Error) => {
    setError(thrown)
    if (isChangedMeanwhile(thrown)) setChanged(true)
    // Any call may be the first to hear that the session is over; validating says so for good, and logs out.
    if (thrown instanceof ApiError && thrown.status === 401) void validate()
  }
  const say = (answer: Answer) =>
    toast && showToast(typeof toast === 'string' ? { kind: 'success', text: toast } : toast(answer))
  const finish = async (sent: Sent) => {
    const [outcome] = await Promise.allSettled([send(sent)])
    const read = readAnew()
    if (isDoneWhenShown) await read
    if (outcome.status === 'rejected') {
      fail(outcome.reason as Error)
      onFailed?.(outcome.reason as Error, sent)
      return
    }
    say(outcome.value)
    onSaved?.(outcome.value, sent)
  }
  const save = (sent: Sent): void => {
    const lockKey = lockKeyOf?.(sent) ?? ''
    if (underWay.current.has(lockKey)) return
    underWay.current.add(lockKey)
    setBusyCount((before) => before + 1)
    setError(null)
    setChanged(false)
    void finish(sent).finally(() => {
      underWay.current.delete(lockKey)
      setBusyCount((before) => before - 1)
    })
  }
  const reload = async () => {
    try {
      if (isDoneWhenShown) await readAnew()
      await reread?.()
      setChanged(false)
      setError(null)
    } catch (thrown) {
      fail(thrown as Error)
    }
  }
  return {
    save,
    isBusy: busyCount > 0,
    /** Why the last try to save or to read anew did not work. */
    error,
    /** The same in words. */
    failure: error ? errorText(error) : undefined,
    /** Somebody else had saved the row first, and `reload` has not taken that in yet. */
    isChanged,
    reload: () => void reload(),
    forget: () => setError(null),
  }
}
