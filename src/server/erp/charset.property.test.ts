import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiJson, decodeText } from './charset.ts'

/** All that a Portuguese keyboard writes in a word; signs such as º follow a digit. */
const letters = [...'abcxyzABCXYZ áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ 019.,;:/-+()']
const portuguese = fc
  .array(fc.oneof(fc.constantFrom(...letters), fc.constantFrom('1º', '2ª', '3°', '4§')), { maxLength: 60 })
  .map((pieces) => pieces.join(''))

const encodings: Record<string, (text: string) => Uint8Array> = {
  'UTF-8': (text) => Buffer.from(text),
  CP1252: (text) => Buffer.from(text, 'latin1'),
  'UTF-16 with its mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 of the other order': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'UTF-8 twice by way of Latin-1': (text) => Buffer.from(Buffer.from(text).toString('latin1')),
  'UTF-8 twice by way of CP1252': (text) => Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(text))),
}

describe('Portuguese text', () => {
  it.each(Object.keys(encodings))('survives %s', (name) => {
    fc.assert(
      fc.property(portuguese, (text) => {
        expect(decodeText(encodings[name]!(text))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

describe('any text', () => {
  it('goes out as ASCII and comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sent = asciiJson({ text })
        expect([...sent].every((letter) => letter < '\u0080')).toBe(true)
        expect(JSON.parse(sent)).toEqual({ text })
      }),
      { numRuns: 500 },
    )
  })

  it('is decoded without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(typeof decodeText(bytes)).toBe('string')
      }),
    )
  })
})
