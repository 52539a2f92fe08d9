import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePdf, makePng } from '../../../test/support/document-files.ts'
import { recogniseDocument } from './document-kinds.ts'

const kindOf = async (file: Buffer) => {
  const found = await recogniseDocument(async (at, length) => file.subarray(at, at + length), file.length)
  return typeof found === 'string' ? found : found.mediaType
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

const pdf = makePdf([{ lines: ['Desenho 12'], drawing: '' }])
const place = pdf.indexOf('xref\n0 ')
/** As newer programs write them: the places are a stream. */
const streamedPdf = Buffer.concat([
  pdf.subarray(0, place),
  bytes(`9 0 obj\n<< /Type /XRef /Size 9 /Length 4 >>\nstream\nabcd\nendstream\nendobj\nstartxref\n${place}\n%%EOF\n`),
])
/** Changed once: a second table behind the first one. */
const changedPdf = Buffer.concat([
  pdf,
  bytes(`4 0 obj\n<< >>\nendobj\nxref\n0 0\ntrailer\n<< /Root 1 0 R >>\nstartxref\n${pdf.length + 21}\n%%EOF\n`),
])
const png = makePng(5, 4, () => 128)
const frame = 'ffc0 000b 08 0004 0005 01 01 11 00'
const thumbnail = `ffe1 0010 ffd8 ${frame} ffd9`.replaceAll(' ', '')
const appOf = (content: string) => `ffe1 ${(content.length / 2 + 2).toString(16).padStart(4, '0')} ${content}`
const scan = (content: string) => `ffda 0008 01 01 00 00 3f 00 ${content}`
/** A thumbnail within, two scans, a stuffed 0xff and a restart mark. */
const jpeg = hex(`ffd8 ${appOf(thumbnail.slice(8))} ${frame} ${scan('11 ff00 22 ffd0 33')} ${scan('44 ff00')} ffd9`)

const whole = { pdf, streamedPdf, changedPdf, png, jpeg }
const mediaTypes = { pdf: 'application/pdf', png: 'image/png', jpeg: 'image/jpeg' }
const typeOf = (name: string) => mediaTypes[name.toLowerCase().includes('pdf') ? 'pdf' : (name as 'png')]

const anyBytes = fc.uint8Array({ maxLength: 3000 }).map((content) => Buffer.from(content))
const harmless = fc.oneof(
  anyBytes.filter((content) => !/obj|startxref/.test(content.toString('latin1'))),
  fc.constantFrom(bytes('\r\n'), Buffer.alloc(2000), bytes('\x1a'), bytes('</body></html>')),
)

test.each(Object.entries(whole))('a whole file is taken, whatever follows it: %s', async (name, file) => {
  await fc.assert(
    fc.asyncProperty(harmless, async (after) => {
      expect(await kindOf(Buffer.concat([file, after]))).toBe(typeOf(name))
    }),
    { numRuns: 60 },
  )
})

test.each(Object.entries(whole))('a file cut short is refused, wherever it was cut: %s', async (name, file) => {
  // what a PDF ends with after its last place is no part of it
  const needed = name.toLowerCase().includes('pdf') ? file.lastIndexOf('\n%%EOF') : file.length
  // cut exactly behind the table that was the last one before, it is whole as it was then
  const before = name === 'changedPdf' ? pdf.lastIndexOf('\n%%EOF') : Number.POSITIVE_INFINITY
  for (let length = 16; length < needed; length++) {
    if (length >= before && length <= pdf.length + '4 0 obj'.length) continue
    expect(await kindOf(file.subarray(0, length)), `${length} of ${file.length}`).not.toBe(typeOf(name))
  }
})

test.each([
  ['a byte-order mark before it', Buffer.concat([hex('efbbbf'), pdf])],
  ['a line of a mail gateway before it', Buffer.concat([bytes('Content-Type: application/pdf\r\n\r\n'), pdf])],
  ['places that are all wrong', bytes(pdf.toString('latin1').replace('/Type /Catalog', '/Type /Catalog /Lang (pt)'))],
  ['no %%EOF', pdf.subarray(0, pdf.lastIndexOf('%%EOF'))],
  [
    'the words of a print spooler around it',
    Buffer.concat([bytes('\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n'), pdf, bytes('\x1b%-12345X')]),
  ],
  ['a second file joined to it', Buffer.concat([pdf, makePdf([{ lines: ['Anexo'], drawing: '' }])])],
  ['lines of another system', bytes(pdf.toString('latin1').replaceAll('\n', '\r\n'))],
  ['a page of a web server behind it', Buffer.concat([pdf, bytes('<!-- 0.2 s -->'.repeat(500))])],
])('a PDF is taken with %s', async (_, file) => {
  expect(await kindOf(file)).toBe('application/pdf')
})

test.each([
  [
    'the film of a telephone behind its picture',
    Buffer.concat([jpeg, bytes('\0\0\0\x18ftypmp42'), jpeg, jpeg.subarray(0, 30)]),
  ],
  [
    'bytes that fill up between its segments',
    hex(`ffd8 ffff ${appOf('4a464946')} ffff ${frame} ${scan('11 ff00')} ffffd9`),
  ],
  ['a picture for small screens behind it', Buffer.concat([jpeg, jpeg])],
])('a JPEG is taken with %s', async (_, file) => {
  expect(await kindOf(file)).toBe('image/jpeg')
})

test.each([
  ['a PDF whose beginning comes too late', Buffer.concat([Buffer.alloc(1100, 32), pdf]), 'unknown'],
  [
    'a linearised PDF of which only the first part came',
    bytes('%PDF-1.5\n1 0 obj\n<<>>\nstartxref\n0\n%%EOF\n'),
    'damaged',
  ],
  ['a JPEG that has the end of its thumbnail alone', jpeg.subarray(0, 40), 'damaged'],
  ['a page', bytes('<html><!-- %PDF- --></html>'), 'unknown'],
])('%s is not', async (_, file, answer) => {
  expect(await kindOf(file)).toBe(answer)
})
