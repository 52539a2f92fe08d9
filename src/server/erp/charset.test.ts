import { describe, expect, it } from 'vitest'
import { asciiJson, decodeText } from './charset.ts'

const cp1252 = (text: string) => Buffer.from(text, 'latin1')
const twice = (text: string, firstRoundReadAs: 'latin1' | 'windows-1252') =>
  Buffer.from(
    firstRoundReadAs === 'latin1'
      ? Buffer.from(text).toString('latin1')
      : new TextDecoder('windows-1252').decode(Buffer.from(text)),
  )

describe('decodeText', () => {
  it('reads UTF-8', () => expect(decodeText(Buffer.from('São José — 30 °C'))).toBe('São José — 30 °C'))
  it('reads CP1252 when it is no UTF-8', () =>
    expect(decodeText(cp1252('PAINEL DE OPERAÇÃO'))).toBe('PAINEL DE OPERAÇÃO'))
  it('reads the letters that only CP1252 has', () =>
    expect(decodeText(Uint8Array.of(0x93, 0xe3, 0x94, 0x80))).toBe('“ã”€'))

  it.each(['latin1', 'windows-1252'] as const)('repairs text encoded twice by way of %s', (way) => {
    for (const text of ['São José', 'OPERAÇÃO É À ÍNDIA', '30 °C, 2ª via', 'ação']) {
      expect(decodeText(twice(text, way))).toBe(text)
    }
  })

  it('repairs only what is broken', () => {
    const mixed = Buffer.concat([Buffer.from('certo: Conceição; errado: '), twice('Conceição', 'latin1')])
    expect(decodeText(mixed)).toBe('certo: Conceição; errado: Conceição')
  })
})

describe('asciiJson', () => {
  it('says the same in ASCII', () => {
    const value = { OPERADOR: 'João “Ç” 😀' }
    const text = asciiJson(value)
    expect(text).toMatch(/^[ -~]+$/)
    expect(text).toContain('Jo\\u00e3o')
    expect(JSON.parse(text)).toEqual(value)
  })
})
