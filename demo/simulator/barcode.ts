const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** ISO 7064 MOD 37,36. Throws where a character is not one of 0-9 A-Z. */
export function checkCharacter(text: string): string {
  let product = 36
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) throw new Error(`No check character over '${character}' in '${text}'`)
    product = (((product + value) % 36 || 36) * 2) % 37
  }
  return ALPHABET.charAt((37 - product) % 36)
}

/**
 * 22 characters: plant 2, order 11, item 6, internal revision 2, check character. The plant's real composition is
 * unknown; this one is checkable, so that a wrong scan can be told from a wrong program.
 */
export function itemBarcode(of: { branch: string; order: string; item: string; revision: string }): string {
  const body = of.branch.slice(0, 2) + of.order.slice(0, 11) + of.item.padStart(6, '0') + of.revision.padStart(2, '0')
  return body + checkCharacter(body)
}
