import type { Query, QueryClient } from '@tanstack/react-query'
import type { Topic } from '../../contract/endpoint.ts'
import {
  ALIVE_EVENT,
  CHANGE_EVENT,
  type LiveChange,
  liveChanges,
  SESSION_OVER_EVENT,
} from '../../contract/live-changes.ts'
import { deviceNow, retryWaitMs } from '../device/clock.ts'
import { currentUser, subscribeToCredentials } from '../device/credentials.ts'
import { makeStore } from '../device/store.ts'
import { saysThatItLives } from './api.ts'
import { liveTopicsOf } from './query.ts'
import { makeRereader } from './rereading.ts'
import { validate } from './session.ts'
import { subscribeToPolls } from './status.ts'

/**
 * Live changes made by others. Each tab in sight has an event stream, one out of sight soon none, as over HTTP/1.1 all
 * tabs of a device have six connections together. While the stream is down, everything shown is read again every 30 s.
 * A virus scanner or a proxy may hold an open stream back: only an event that came through shows that it is up.
 */

const POLL_MS = 30_000
/** Changes that come together are read once. */
const GAP_MS = 500
/** The server begins a stream with what changed in the minute before: what was read within the last of it is not read again. */
const FRESH_MS = 15_000
/**
 * The first screen's own requests need all six connections: the stream opens after them, and begins with the changes
 * since.
 */
const AFTER_SCREEN_MS = 1000
/** Out of sight for longer, a tab gives its connection back; that of a device that slept so long may be none any more. */
const HIDDEN_MS = 20_000

/** Three signs of life have not come. */
const SILENCE_MS_MAX = 45_000

/** Each reading of these asks the ERP, or many have one on their screen: only what holds the one that changed is read again. */
const readWhereHeld: readonly Topic[] = ['items', 'junctions', 'measurements', 'scraps']

const holds = (query: Query, key: string) =>
  key === '' || JSON.stringify([query.queryKey, query.state.data]).includes(JSON.stringify(key))

const isChanged = (query: Query, topic: Topic, keys: ReadonlySet<string> | undefined): boolean =>
  keys !== undefined && (!readWhereHeld.includes(topic) || [...keys].some((key) => holds(query, key)))

/** Reads again what changed, as soon as somebody looks at this page. */
function makeRefresher(queries: QueryClient) {
  const reread = makeRereader(queries)
  const begunAt = deviceNow()
  const due = new Map<Topic, Set<string>>()
  let unheardBefore = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (document.hidden || (due.size === 0 && unheardBefore === 0)) return
    const changed = new Map(due)
    const before = unheardBefore
    due.clear()
    unheardBefore = 0
    reread((query) => {
      const live = liveTopicsOf(query)
      const { dataUpdatedAt } = query.state
      // A time to come is of a clock that was set back.
      const isUnheard = before > 0 && live.length > 0 && (dataUpdatedAt < before || dataUpdatedAt > deviceNow())
      return isUnheard || live.some((topic) => isChanged(query, topic, changed.get(topic)))
    })
    timer = setTimeout(flush, GAP_MS)
  }
  const flushSoon = () => {
    if (timer === undefined) timer = setTimeout(flush, 0)
  }
  const missed = (before: number) => {
    unheardBefore = Math.max(unheardBefore, before)
    flushSoon()
  }
  return {
    change({ topic, key }: LiveChange) {
      due.set(topic, (due.get(topic) ?? new Set()).add(key))
      flushSoon()
    },
    everything: () => missed(Number.POSITIVE_INFINITY),
    /** Rereads what is older than `FRESH_MS` or than this page; the stream began with the rest. */
    untold: () => missed(Math.max(begunAt, deviceNow() - FRESH_MS)),
    flushSoon,
  }
}

const slowed = makeStore(false)

/** For 45 s nothing has come through a stream of this page, opened anew or not: it is read again every 30 s. */
export const useIsSlowed = slowed.use

type StreamEvents = { onChange: (change: LiveChange) => void; onUp: (isUp: boolean) => void; onSilence: () => void }

/** Stays open until it is closed: opened anew, after growing waits, whenever it breaks or is silent. */
function openStream({ onChange, onUp, onSilence }: StreamEvents) {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  /** After a silence: some proxies let the first word of a stream pass, and hold the rest. */
  let isDoubted = false
  const drop = () => {
    clearTimeout(retry)
    source?.close()
  }
  const openAgain = () => {
    // The browser's own retries end for good at the first refusal, and never grow.
    drop()
    failures++
    onUp(false)
    retry = setTimeout(open, retryWaitMs(failures, Math.random()))
  }
  const awaitLife = () => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      awaitLife()
      if (!saysThatItLives()) return
      onSilence()
      isDoubted = true
      open()
    }, SILENCE_MS_MAX)
  }
  const isAlive = () => {
    failures = 0
    onUp(true)
  }
  const open = () => {
    drop()
    const opened = new EventSource(liveChanges.stream.path)
    source = opened
    opened.onopen = () => {
      if (!saysThatItLives()) isAlive()
    }
    for (const name of ['message', CHANGE_EVENT]) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as LiveChange))
    }
    // The server ends it then: the next one would only be refused, and nobody would say so.
    opened.addEventListener(SESSION_OVER_EVENT, () => void validate())
    opened.onerror = openAgain
    opened.addEventListener(ALIVE_EVENT, () => {
      awaitLife()
      if (!isDoubted) isAlive()
      isDoubted = false
    })
  }
  open()
  awaitLife()
  return () => {
    clearTimeout(silence)
    drop()
  }
}

/** `onBack`: the server is there, perhaps after it was away. */
export function startLive(queries: QueryClient, onBack: () => void): void {
  const refresher = makeRefresher(queries)
  let closeStream: (() => void) | null = null
  let username: string | undefined
  let isUp = false

  const close = () => {
    closeStream?.()
    closeStream = null
    isUp = false
  }
  const onUp = (up: boolean) => {
    // Changes were missed while the stream was down.
    if (up && !isUp) {
      refresher.untold()
      onBack()
    }
    isUp = up
    if (up) slowed.set(false)
  }
  const onSilence = () => {
    isUp = false
    slowed.set(true)
    refresher.everything()
  }
  const reopen = () => {
    close()
    if (username === undefined || document.hidden) return
    closeStream = openStream({ onChange: refresher.change, onUp, onSilence })
  }
  const follow = () => {
    if (currentUser()?.username === username) return
    username = currentUser()?.username
    slowed.set(false)
    reopen()
  }
  subscribeToCredentials(follow)
  setTimeout(follow, AFTER_SCREEN_MS)
  setInterval(() => {
    if (closeStream && !isUp) refresher.everything()
  }, POLL_MS)
  // A stream that only listens does not notice by itself that nobody is at the other end any more.
  window.addEventListener('online', reopen)
  let wasAnswered = true
  subscribeToPolls((isAnswered) => {
    if (isAnswered && !wasAnswered) reopen()
    wasAnswered = isAnswered
  })
  let hiddenSince = 0
  let rest: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(rest)
    if (document.hidden) {
      hiddenSince = performance.now()
      rest = setTimeout(close, HIDDEN_MS)
      return
    }
    refresher.flushSoon()
    if (!closeStream || performance.now() - hiddenSince > HIDDEN_MS) reopen()
  })
}
