import type { DocumentMediaType } from '../../contract/documents.ts'

export type DocumentKind = { mediaType: DocumentMediaType; widthPx: number | null; heightPx: number | null }
/** So many bytes from there on; fewer where the file ends. */
type Peek = (at: number, length: number) => Promise<Buffer>
type Size = { width: number; height: number }

const PNG_BEGINS = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_CHUNKS_MAX = 100_000
const JPEG_SEGMENTS_MAX = 1000
const WINDOW_BYTES = 64 * 1024
/** Readers of PDF look so far for its beginning, and a little around each place that it names. */
const PDF_BEGIN_WITHIN = 1024
const PDF_PLACE_BYTES = 32

/** By its chunks to the last one, whatever follows it. */
async function pngSize(peek: Peek, bytes: number): Promise<Size | null> {
  const head = await peek(0, 24)
  if (head.length < 24) return null
  for (let at = 8, chunks = 0; chunks < PNG_CHUNKS_MAX; chunks++) {
    const chunk = await peek(at, 8)
    if (chunk.length < 8) return null
    at += 12 + chunk.readUInt32BE(0)
    if (at > bytes) return null
    const isEnd = chunk.toString('latin1', 4) === 'IEND'
    if (isEnd) return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  }
  return null
}

const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Where the picture itself, of which nothing says how long it is, comes to a marker that is not its own; null at the end. */
async function markerFrom(peek: Peek, from: number, bytes: number): Promise<number | null> {
  for (let start = from; start < bytes; ) {
    const window = await peek(start, WINDOW_BYTES)
    for (let at = window.indexOf(0xff); at >= 0 && at + 1 < window.length; at = window.indexOf(0xff, at + 1)) {
      const marker = window[at + 1] ?? 0
      if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return start + at
    }
    // a marker may lie across two windows
    start += Math.max(1, window.length - 1)
  }
  return null
}

/** By its segments to the end mark of the main picture: a thumbnail within one and a film behind it have marks of their own. */
async function jpegSize(peek: Peek, bytes: number): Promise<Size | null> {
  let size: Size | null = null
  for (let at = 2, segments = 0; segments < JPEG_SEGMENTS_MAX; segments++) {
    const segment = await peek(at, 9)
    const marker = segment[1]
    if (segment[0] !== 0xff || marker === undefined) return null
    if (marker === 0xd9) return size
    // an 0xff before a marker only fills up
    if (marker === 0xff) {
      at++
      continue
    }
    if (segment.length < 9) return null
    if (isFrameHeader(marker)) size ??= { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) }
    at += 2 + segment.readUInt16BE(2)
    if (marker !== 0xda) continue
    const next = await markerFrom(peek, at, bytes)
    if (next === null) return null
    at = next
  }
  return null
}

async function webpSize(peek: Peek, bytes: number): Promise<Size | null> {
  const begin = await peek(0, 30)
  if (begin.length < 25 || begin.readUInt32LE(4) + 8 > bytes) return null
  // the smallest pictures are shorter than the head of others
  const head = Buffer.concat([begin], 30)
  const chunk = head.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L' && head[20] === 0x2f) {
    const bits = head.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8 ' || head.toString('hex', 23, 26) !== '9d012a') return null
  return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
}

/** The last place of a text, and what stands from there to the end; null where it stands nowhere. */
async function lastPlace(peek: Peek, bytes: number, text: string): Promise<number | null> {
  for (let end = bytes; end > 0; end -= WINDOW_BYTES - text.length) {
    const start = Math.max(0, end - WINDOW_BYTES)
    const at = (await peek(start, end - start)).lastIndexOf(text)
    if (at >= 0) return start + at
    if (start === 0) return null
  }
  return null
}

/**
 * Whole is one whose last `startxref` leads to its table or its stream of places, and behind which no object follows: one that was
 * changed and then cut short has an older one. What stands before its beginning may be counted in its places or not.
 */
async function isWholePdf(peek: Peek, bytes: number, begin: number): Promise<boolean> {
  const at = await lastPlace(peek, bytes, 'startxref')
  if (at === null) return false
  const [, digits] = /^startxref\s+(\d{1,10})/.exec((await peek(at, 40)).toString('latin1')) ?? []
  if (digits === undefined || (await hasObjects(peek, at, bytes))) return false
  for (const place of new Set([Number(digits), Number(digits) + begin])) {
    if (place <= begin || place >= at) continue
    const there = (await peek(place, PDF_PLACE_BYTES)).toString('latin1')
    if (/^\s*(xref\s|\d+\s+\d+\s+obj\b)/.test(there)) return true
  }
  return Number(digits) > 0 && (await endsInTrailer(peek, at))
}

/** Programs that change a file and not its places leave it whole: every reader finds them anew. */
async function endsInTrailer(peek: Peek, at: number): Promise<boolean> {
  const start = Math.max(0, at - PDF_BEGIN_WITHIN)
  const before = (await peek(start, at - start)).toString('latin1')
  const behind = (await peek(at, 64)).toString('latin1')
  return /\btrailer\s*<<.*\/Root\b.*>>\s*$/s.test(before) && /^startxref\s+\d+\s+%%EOF/.test(behind)
}

async function hasObjects(peek: Peek, from: number, bytes: number): Promise<boolean> {
  for (let start = from; start < bytes; start += WINDOW_BYTES - PDF_PLACE_BYTES) {
    if (/\d\s+\d+\s+obj\b/.test((await peek(start, WINDOW_BYTES)).toString('latin1'))) return true
  }
  return false
}

const imageKinds: [mediaType: DocumentMediaType, isMeant: (head: Buffer) => boolean, size: typeof pngSize][] = [
  ['image/png', (head) => head.subarray(0, PNG_BEGINS.length).equals(PNG_BEGINS), pngSize],
  ['image/jpeg', (head) => head.toString('hex', 0, 3) === 'ffd8ff', jpegSize],
  ['image/webp', (head) => /^RIFF....WEBP/s.test(head.toString('latin1')), webpSize],
]

/**
 * The kind of a file by its content, and the size of its picture, read from its head without decoding. SVG and HTML may
 * carry script and are refused.
 */
export async function recogniseDocument(peek: Peek, bytes: number): Promise<DocumentKind | 'unknown' | 'damaged'> {
  const head = await peek(0, PDF_BEGIN_WITHIN)
  const [mediaType, , sizeOf] = imageKinds.find(([, isMeant]) => isMeant(head.subarray(0, 16))) ?? []
  if (!mediaType || !sizeOf) {
    const begin = head.indexOf('%PDF-')
    // what begins as a page or a drawing may carry script
    if (begin < 0 || head.subarray(0, begin).includes('<')) return 'unknown'
    const isWhole = await isWholePdf(peek, bytes, begin)
    return isWhole ? { mediaType: 'application/pdf', widthPx: null, heightPx: null } : 'damaged'
  }
  const size = await sizeOf(peek, bytes)
  if (!size || size.width === 0 || size.height === 0) return 'damaged'
  return { mediaType, widthPx: size.width, heightPx: size.height }
}
