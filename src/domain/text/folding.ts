/**
 * A name without what nobody sees: one form for each letter (NFC), a plain blank for every other one (no-break, thin), nothing for what has
 * no width (soft hyphen, zero width space). For where a name is first written and where names are compared; never for a frozen content,
 * its hash or what goes to the ERP, which are as they were written.
 */
export const foldedName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .normalize('NFC')
    .trim()
