import { useState } from 'react'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'

/**
 * A file that is dropped anywhere on the page; null takes none. Without it the browser would leave the panel to show the
 * file.
 */
export function useFileDrop(onFile: ((file: File) => void) | null): boolean {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(onFile !== null)
  })
  useWindowEvent('dragleave', (event) => event.relatedTarget === null && setOver(false))
  useWindowEvent('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer?.files ?? []
    if (file) onFile?.(file)
  })
  return isOver
}
