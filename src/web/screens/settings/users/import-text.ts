/** As spreadsheets write it: in UTF-8, or in CP1252 without saying so. */
export function importText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
