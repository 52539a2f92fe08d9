import { useSyncExternalStore } from 'react'

/** List of listeners, each of which hears until it leaves. */
export function makeListeners<Heard extends unknown[] = []>() {
  const listeners = new Set<(...heard: Heard) => void>()
  return {
    tell: (...heard: Heard): void => {
      for (const listener of listeners) listener(...heard)
    },
    subscribe: (listener: (...heard: Heard) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export type Store<Value> = ReturnType<typeof makeStore<Value>>

/** A value of this page that screens show as it changes. */
export function makeStore<Value>(value: Value) {
  const { tell, subscribe } = makeListeners()
  const get = () => value
  return {
    get,
    set: (next: Value): void => {
      value = next
      tell()
    },
    use: (): Value => useSyncExternalStore(subscribe, get),
  }
}

let requested: Promise<boolean> | null = null

/**
 * Browsers may clear what a page keeps when the device runs short of room, unless they have promised not to. Asks once per
 * visit; false where the browser does not promise.
 */
export function keepStorage(): Promise<boolean> {
  requested ??= (navigator.storage?.persist?.() ?? Promise.resolve(false)).catch(() => false)
  return requested
}

/** Null for a text that is no object or array: another version, or anybody, may have written it. */
export function readJson(text: string | null): object | null {
  try {
    const read: unknown = JSON.parse(text ?? 'null')
    return typeof read === 'object' ? read : null
  } catch {
    return null
  }
}

/** Keeps a value in this tab for a reload or the way back. A full storage loses that, never what is on screen. */
export function writeToTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // As said above.
  }
}

/** Null where nothing is kept that can be read. Anybody may have written it. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export const dropFromTab = (key: string): void => sessionStorage.removeItem(key)

/** A browser that blocks the data of sites throws at the first look, or has no such thing. */
export function isStorageBlocked(): boolean {
  try {
    return !localStorage || !indexedDB
  } catch {
    return true
  }
}

/** Keeps a value for all tabs of this device. False: a full or forbidden storage keeps nothing. */
export function writeToDevice(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function readFromDevice(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const dropFromDevice = (key: string): void => localStorage.removeItem(key)

export const keysOnDevice = (prefix: string): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix))
