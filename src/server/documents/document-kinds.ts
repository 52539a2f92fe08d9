import type { DocumentMediaType } from '../../contract/documents.ts'

export type DocumentKind = { mediaType: DocumentMediaType; widthPx: number | null; heightPx: number | null }
/** So many bytes from there on; fewer where the file ends. */
type Peek = (at: number, length: number) => Promise<Buffer>
type Size = { width: number; height: number }

const PNG_BEGINS = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_ENDS = Buffer.from('0000000049454e44ae426082', 'hex')
/** Readers of PDF look so far from the end. */
const PDF_END_WITHIN = 1024
/** Cameras write notes of their own after the picture. */
const JPEG_END_WITHIN = 64 * 1024
const JPEG_SEGMENTS_MAX = 1000

async function pngSize(peek: Peek, bytes: number): Promise<Size | null> {
  const head = await peek(0, 24)
  const end = await peek(Math.max(0, bytes - PNG_ENDS.length), PNG_ENDS.length)
  if (head.length < 24 || !end.equals(PNG_ENDS)) return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

async function jpegSize(peek: Peek, bytes: number): Promise<Size | null> {
  const end = await peek(Math.max(0, bytes - JPEG_END_WITHIN), JPEG_END_WITHIN)
  if (!end.includes(Buffer.from([0xff, 0xd9]))) return null
  for (let at = 2, segments = 0; segments < JPEG_SEGMENTS_MAX; segments++) {
    const segment = await peek(at, 9)
    if (segment.length < 9 || segment[0] !== 0xff) return null
    const marker = segment[1] ?? 0
    if (isFrameHeader(marker)) return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) }
    // an 0xff before a marker only fills up; after 0xda comes the picture, which nothing has described
    if (marker === 0xda) return null
    at += marker === 0xff ? 1 : 2 + segment.readUInt16BE(2)
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

const isWholePdf = async (peek: Peek, bytes: number) =>
  (await peek(Math.max(0, bytes - PDF_END_WITHIN), PDF_END_WITHIN)).includes('%%EOF')

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
  const head = await peek(0, 16)
  if (head.toString('latin1', 0, 5) === '%PDF-') {
    const isWhole = await isWholePdf(peek, bytes)
    return isWhole ? { mediaType: 'application/pdf', widthPx: null, heightPx: null } : 'damaged'
  }
  const [mediaType, , sizeOf] = imageKinds.find(([, isMeant]) => isMeant(head)) ?? []
  if (!mediaType || !sizeOf) return 'unknown'
  const size = await sizeOf(peek, bytes)
  if (!size || size.width === 0 || size.height === 0) return 'damaged'
  return { mediaType, widthPx: size.width, heightPx: size.height }
}
