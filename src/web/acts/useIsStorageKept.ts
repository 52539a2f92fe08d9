import { useEffect, useState } from 'react'
import { keepStorage } from '../device/store.ts'

/** Whether the browser promises to keep what this page has stored; undefined until it has answered. */
export function useIsStorageKept(): boolean | undefined {
  const [isKept, setKept] = useState<boolean>()
  useEffect(() => void keepStorage().then(setKept), [])
  return isKept
}
