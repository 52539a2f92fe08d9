import type { Query, QueryClient } from '@tanstack/react-query'
import type { Topic } from '../../contract/endpoint.ts'
import { type LiveChange, liveChanges, SESSION_OVER_EVENT } from '../../contract/live-changes.ts'
import { deviceNow, retryWaitMs } from '../device/clock.ts'
import { currentUser, subscribeToCredentials } from '../device/credentials.ts'
import { logFailure } from '../device/log.ts'
import { liveTopicsOf } from './query.ts'
import { makeRereader } from './rereading.ts'
import { validate } from './session.ts'
import { subscribeToPolls } from './status.ts'

/**
 * What others change shows here: one event stream per device, shared by its tabs (a browser opens no more than six
 * connections over HTTP/1.1). While the stream is down, what it would have told is read again every 30 s.
 */

const NAME = 'eventos'
const POLL_MS = 30_000
/** Changes that come together are read once. */
const GAP_MS = 500
/** The server begins a stream with what changed in the minute before: what was read within the last of it is not read again. */
const FRESH_MS = 15_000
/** A device that slept this long may hold a connection that is none any more. */
const SLEEP_MS = 20_000

/** Between the tabs. `isAsked`: how it is. `isDoubted`: a tab has reason to think that the stream is dead. */
type Message = { change: LiveChange } | { isUp: boolean } | { isAsked: true } | { isDoubted: true }

/** Each reading of these asks the ERP: only what holds the one that changed is read again. */
const askingErp: readonly Topic[] = ['items', 'junctions']

const holds = (query: Query, key: string) =>
  key === '' || JSON.stringify([query.queryKey, query.state.data]).includes(JSON.stringify(key))

const isChanged = (query: Query, topic: Topic, keys: ReadonlySet<string> | undefined): boolean =>
  keys !== undefined && (!askingErp.includes(topic) || [...keys].some((key) => holds(query, key)))

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
    /** From now on all is told. So was what is fresh, but for what was kept from before this page began. */
    untold: () => missed(Math.max(begunAt, deviceNow() - FRESH_MS)),
    flushSoon,
  }
}

type StreamEvents = { onChange: (change: LiveChange) => void; onUp: (isUp: boolean) => void }

/** Stays open until it is closed: opened anew, after growing waits, whenever it breaks. */
function openStream({ onChange, onUp }: StreamEvents) {
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const close = () => {
    clearTimeout(retry)
    source?.close()
  }
  const open = () => {
    close()
    const opened = new EventSource(liveChanges.stream.path)
    source = opened
    opened.onopen = () => {
      failures = 0
      onUp(true)
    }
    opened.onmessage = ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as LiveChange)
    // The server ends it then: the next one would only be refused, and nobody would say so.
    opened.addEventListener(SESSION_OVER_EVENT, () => void validate())
    opened.onerror = () => {
      // The browser's own retries end for good at the first refusal, and never grow.
      opened.close()
      failures++
      onUp(false)
      retry = setTimeout(open, retryWaitMs(failures, Math.random()))
    }
  }
  const reopen = () => {
    onUp(false)
    open()
  }
  reopen()
  return { close, reopen }
}

/** With locks the tab that holds the device's one opens the stream; plain HTTP addresses have none. */
function takeSeat(events: StreamEvents) {
  let stream: ReturnType<typeof openStream> | null = null
  const left = new AbortController()
  const { signal } = left
  const hold = () => {
    const opened = openStream(events)
    stream = opened
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        opened.close()
        resolve()
      })
    })
  }
  if (navigator.locks) {
    navigator.locks.request(NAME, { signal }, hold).catch((error) => {
      if (!signal.aborted) logFailure('Eventos', error)
    })
  } else {
    void hold()
  }
  return {
    isLeading: () => stream !== null,
    reopen: () => stream?.reopen(),
    /** Nobody looks: without locks this connection is one of the six that all tabs have. */
    rest: () => navigator.locks || stream?.close(),
    leave: () => left.abort(),
  }
}

/** `onBack`: the server is there, perhaps after it was away. */
export function startLive(queries: QueryClient, onBack: () => void): void {
  const refresher = makeRefresher(queries)
  const channel = navigator.locks ? new BroadcastChannel(NAME) : null
  let seat: ReturnType<typeof takeSeat> | null = null
  let username: string | undefined
  let isUp = false

  const hear = (message: Message) => {
    if ('change' in message) refresher.change(message.change)
    if (!('isUp' in message)) return
    // What changed while nobody told.
    if (message.isUp && !isUp) {
      refresher.untold()
      onBack()
    }
    isUp = message.isUp
  }
  const send = (message: Message) => channel?.postMessage(message)
  const tell = (message: Message) => {
    send(message)
    hear(message)
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('isAsked' in data) {
        if (seat?.isLeading()) send({ isUp })
      } else if ('isDoubted' in data) seat?.reopen()
      else hear(data)
    }
  }
  const follow = () => {
    if (currentUser()?.username === username) return
    username = currentUser()?.username
    seat?.leave()
    seat = null
    isUp = false
    if (username === undefined) return
    seat = takeSeat({ onChange: (change) => tell({ change }), onUp: (up) => tell({ isUp: up }) })
    send({ isAsked: true })
  }
  subscribeToCredentials(follow)
  follow()
  setInterval(() => {
    if (seat && !isUp) refresher.everything()
  }, POLL_MS)
  const doubt = () => {
    seat?.reopen()
    if (!seat?.isLeading()) send({ isDoubted: true })
  }
  watchSleep({ onAsleep: () => seat?.rest(), onAwake: refresher.flushSoon, onDoubt: doubt })
}

type SleepEvents = { onAsleep: () => void; onAwake: () => void; onDoubt: () => void }

/** A stream that only listens does not notice by itself that nobody is at the other end any more. */
function watchSleep({ onAsleep, onAwake, onDoubt }: SleepEvents) {
  let hiddenSince = 0
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      hiddenSince = performance.now()
      return onAsleep()
    }
    onAwake()
    if (!navigator.locks || performance.now() - hiddenSince > SLEEP_MS) onDoubt()
  })
  window.addEventListener('online', onDoubt)
  let wasAnswered = true
  subscribeToPolls((isAnswered) => {
    if (isAnswered && !wasAnswered) onDoubt()
    wasAnswered = isAnswered
  })
}
