import { useEffect, useEffectEvent } from 'react'

/** Hears an event of the window while its component is there. `capture`: before what is on screen hears it. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
  { capture = false } = {},
): void {
  const onEvent = useEffectEvent(hear)
  useEffect(() => {
    const listener = (event: WindowEventMap[Name]) => onEvent(event)
    window.addEventListener(name, listener, { capture })
    return () => window.removeEventListener(name, listener, { capture })
  }, [name, capture])
}
