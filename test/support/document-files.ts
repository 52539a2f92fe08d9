import { crc32, deflateSync } from 'node:zlib'

type PdfPage = {
  lines: readonly string[] /** Operators of PDF, on an A4 page from its lower left corner. */
  drawing: string
}

const escapeText = (text: string) => text.replace(/[\\()]/g, '\\$&')

const contentOf = ({ lines, drawing }: PdfPage) =>
  [
    ...lines.map((line, at) => `BT /F1 ${at === 0 ? 22 : 13} Tf 50 ${780 - at * 26} Td (${escapeText(line)}) Tj ET`),
    drawing,
  ].join('\n')

/** A PDF of a few hundred bytes: text in Helvetica, and lines. */
export function makePdf(pages: readonly PdfPage[]): Buffer {
  const pageIds = pages.map((_, at) => 4 + at * 2)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, at) => {
      const content = contentOf(page)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${(pageIds[at] ?? 0) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

const pngChunk = (kind: string, content: Buffer) => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}

/** A PNG in shades of grey; `shade` is 0 for black, 255 for white. */
export function makePng(width: number, height: number, shade: (x: number, y: number) => number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = shade(x, y)
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
