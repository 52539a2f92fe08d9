import { useEffect, useEffectEvent, useReducer } from 'react'
import { keepOnDevice, keptOnDevice } from '../../device/store.ts'
import { changeSidebar, startSidebar } from './sidebar.ts'

const STORAGE_KEY = 'sidebar-state'

export function useSidebar() {
  const [sidebar, change] = useReducer(changeSidebar, null, () =>
    startSidebar(keptOnDevice(STORAGE_KEY), window.innerWidth),
  )
  useEffect(() => void keepOnDevice(STORAGE_KEY, sidebar.mode), [sidebar.mode])
  const onResize = useEffectEvent(() => change({ type: 'resize', widthPx: window.innerWidth }))
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'b' || !event.ctrlKey || event.altKey || event.shiftKey || event.repeat) return
    event.preventDefault()
    change({ type: 'toggle' })
  })
  useEffect(() => {
    window.addEventListener('resize', onResize)
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('resize', onResize)
      window.removeEventListener('keydown', onKey)
    }
  }, [])
  return { sidebar, change }
}
