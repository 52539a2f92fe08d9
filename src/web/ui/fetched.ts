import { type ComponentType, lazy } from 'react'

/** A part of a screen with a script of its own: where that cannot be had there is nothing. */
export const fetched = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  )
