import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { BODY_BYTES_MAX, type HttpAnswer } from './http.ts'

type Packed = Pick<HttpAnswer, 'body' | 'encoding'>

/** JSON, or a page in its place. */
export const looksPlain = (body: Uint8Array): boolean =>
  /^(\u00EF\u00BB\u00BF)?\s*[[{"<]/.test(Buffer.from(body.subarray(0, 64)).toString('latin1'))

/** One answer may pass a service and two proxies. */
const LAYERS_MAX = 3

type Unpack = (body: Uint8Array, limits: { maxOutputLength: number }) => Buffer

/** Its first bytes tell a packing; those without are believed by their label. */
const packings: { isIt: (packed: Packed) => boolean; unpack: Unpack }[] = [
  { isIt: ({ body }) => body[0] === 0x1f && body[1] === 0x8b, unpack: gunzipSync },
  { isIt: ({ body }) => body.length > 3 && body.readUInt32LE() === 0xfd2fb528, unpack: zstdDecompressSync },
  { isIt: ({ body }) => body[0] === 0x78 && body.length > 1 && body.readUInt16BE() % 31 === 0, unpack: inflateSync },
  { isIt: ({ encoding }) => /\bdeflate\b/i.test(encoding), unpack: inflateRawSync },
  { isIt: ({ encoding }) => /\bbr\b/i.test(encoding), unpack: brotliDecompressSync },
]

function unpackOnce(packed: Packed): Buffer | null {
  const packing = looksPlain(packed.body) ? undefined : packings.find(({ isIt }) => isIt(packed))
  try {
    return packing?.unpack(packed.body, { maxOutputLength: BODY_BYTES_MAX }) ?? null
  } catch {
    return null
  }
}

/** Unpacks a body that a proxy or a service compressed unasked. Returns it as it came where that fails. */
export function unpack({ body, encoding }: Packed): Buffer {
  let plain = body
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    const next = unpackOnce({ body: plain, encoding })
    if (next === null) break
    plain = next
  }
  return plain
}
