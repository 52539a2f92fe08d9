const utf8 = new TextDecoder('utf-8', { fatal: true })
const cp1252 = new TextDecoder('windows-1252')

const byteOfCp1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [cp1252.decode(Uint8Array.of(byte)), byte] as const),
)

const decodeStrictly = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** A run of letters that was UTF-8, read as CP1252 and encoded again: text converted twice. */
function repairRun(run: string): string {
  const bytes = Array.from(run, (letter) => byteOfCp1252.get(letter) ?? (letter < '\u00a0' ? letter.charCodeAt(0) : -1))
  const isTwice = bytes.some((byte, at) => (byte === 0xc2 || byte === 0xc3) && ((bytes[at + 1] ?? 0) & 0xc0) === 0x80)
  if (!isTwice || bytes.includes(-1)) return run
  return decodeStrictly(Uint8Array.from(bytes)) ?? run
}

/** By its mark, or by the empty half of its first sign: JSON begins with one of ASCII. */
function wideCharsetOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)
    ? 'utf-16be'
    : null
}

/**
 * Decodes an answer whatever its header says: an ERP in CP1252 sends UTF-8, or CP1252 under either label when one byte could
 * not be converted, or text converted twice.
 */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideCharsetOf(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  const text = decodeStrictly(bytes) ?? cp1252.decode(bytes)
  return text.replace(/[^\p{ASCII}]+/gu, repairRun)
}

/** JSON in ASCII only: it survives whichever character set the other side reads it with. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\p{ASCII}]/gu, (letter) =>
    Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
