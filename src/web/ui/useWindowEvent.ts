import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Hears an event of the window while its component is there, from the frame in which that comes: no key is lost between.
 * `capture`: before what is on screen hears it.
 */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
  { capture = false } = {},
): void {
  const onEvent = useEffectEvent(hear)
  useLayoutEffect(() => {
    const listener = (event: WindowEventMap[Name]) => onEvent(event)
    window.addEventListener(name, listener, { capture })
    return () => window.removeEventListener(name, listener, { capture })
  }, [name, capture])
}
