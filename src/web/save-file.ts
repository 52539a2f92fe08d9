import { auditEntries, type PageExport } from '../contract/audit-entries.ts'
import { call } from './api.ts'

/** Hands a file to the person, as a download of this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The download reads it after this event.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** As `saveFile`, of what this page made itself: the audit trail is to know who took it along. */
export function exportFile(content: Blob, name: string, kind: PageExport): void {
  saveFile(content, name)
  // Without network the file is saved all the same; the failed call stands in this device's log.
  call(auditEntries.noteExport, { body: { tipo: kind } }).catch(() => undefined)
}
