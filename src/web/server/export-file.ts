import { auditEntries, type PageExport } from '../../contract/audit-entries.ts'
import { saveFile } from '../device/save-file.ts'
import { call } from './api.ts'

/** As `saveFile`, of what this page made itself: the audit trail is to know who took it along. */
export function exportFile(content: Blob, name: string, kind: PageExport): void {
  saveFile(content, name)
  // Without network the file is saved all the same; the failed call stands in this device's log.
  call(auditEntries.noteExport, { body: { tipo: kind } }).catch(() => undefined)
}
