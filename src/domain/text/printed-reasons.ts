const PRINTED = 'REF-'

/** A reason of scrap as a sheet on the bench has it. */
export const printedReason = (code: string): string => `${PRINTED}${code}`

/** The code in a scan of a printed reason, whatever the case in which Caps Lock left it; null: it is another scan. */
export const scannedReason = (scan: string): string | null => {
  const typed = scan.trim()
  return typed.toUpperCase().startsWith(PRINTED) ? typed.slice(PRINTED.length).toLowerCase() : null
}
