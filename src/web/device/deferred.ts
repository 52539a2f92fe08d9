import { useEffect, useEffectEvent, useState } from 'react'
import { reloadIfReplaced } from './reloads.ts'

/** When a script is fetched ahead: `soon` after the first screen, or, by the server, with the page of an address. */
type Moment = 'soon' | `/${string}`

export type Deferred<Part> = {
  /** Null until it was loaded. */
  loaded: () => Part | null
  /** The browser fetches a script once, and one that could not be had again at the next call. */
  load: () => Promise<Part>
  /** `load` for somebody who waits. Where the server has the page of another version by now, the page is reloaded. */
  open: () => Promise<Part>
}

const ahead: (() => Promise<unknown>)[] = []
let isWarm = false

const fetchAhead = (load: () => Promise<unknown>) => void load().catch(() => undefined)

/** Fetches what is marked `soon`, and from now on what a script that is fetched marks itself: for work without network. */
export function warmUp(): void {
  isWarm = true
  ahead.forEach(fetchAhead)
}

/**
 * The one way to load a part of the page later. These calls are the registry: the build reads them too
 * (`scripts/deferred.ts`), so `fetchScript` imports one file, and gives that or one name of it.
 */
export function deferred<Part>(
  fetchScript: () => Promise<Part>,
  { warm = [] }: { warm?: readonly Moment[] } = {},
): Deferred<Part> {
  let part: Part | null = null
  const load = async () => {
    part = await fetchScript()
    return part
  }
  const open = () =>
    load().catch(async (error: unknown) => {
      if (await reloadIfReplaced(error)) return await new Promise<never>(() => undefined)
      // the server was asked meanwhile: what failed may have been the line
      return await load()
    })
  if (warm.includes('soon')) {
    ahead.push(load)
    if (isWarm) fetchAhead(load)
  }
  return { loaded: () => part, load, open }
}

/** The part as soon as it is there. `onFailed` hears that it cannot be had, and `ask` fetches it again. */
export function useDeferred<Part>(script: Deferred<Part>, onFailed?: (error: unknown) => void) {
  const [part, setPart] = useState(script.loaded)
  const [isAsking, setAsking] = useState(part === null)
  const fail = useEffectEvent((error: unknown) => {
    setAsking(false)
    onFailed?.(error)
  })
  useEffect(() => {
    if (!isAsking) return
    let isLeft = false
    script.open().then(
      (loaded) => isLeft || setPart(() => loaded),
      (error: unknown) => isLeft || fail(error),
    )
    return () => {
      isLeft = true
    }
  }, [script, isAsking])
  return { part, isAsking, ask: () => setAsking(true) }
}
