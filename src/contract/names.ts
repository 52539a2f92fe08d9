import * as z from 'zod/mini'
import { mustSay } from './values.ts'

/**
 * A name without what nobody sees: one form for each letter (NFC), a plain blank for every other one (no-break, thin), nothing for what has
 * no width (soft hyphen, zero width space). For where a name is first written and where names are compared; never for a frozen content,
 * its hash or what goes to the ERP, which are as they were written.
 */
export const foldedName = (name: string): string =>
  // nearly every name, and a reading is compared with hundreds: in it there is nothing to fold
  /^[!-~](?:[ -~]*[!-~])?$/.test(name)
    ? name
    : name
        .normalize('NFC')
        .replace(/\p{Zs}/gu, ' ')
        .replace(/\p{Cf}/gu, '')
        .normalize('NFC')
        .trim()

/** Marks that turn the letters behind them around, so that a name is read as another one. */
export const DIRECTION_MARKS_REFUSED = 'Há marcas de direção do texto, que não se veem: apague e digite novamente'

/** A name where it is first written, folded; may be empty. `wrong` is said of one too long. */
export const optionalName = (lengthMax: number, wrong?: string) =>
  z
    .string()
    .check(
      z.regex(/^[^\u202A-\u202E\u2066-\u2069]*$/u, DIRECTION_MARKS_REFUSED),
      z.overwrite(foldedName),
      z.maxLength(lengthMax, wrong),
      z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Caracteres de controle não são aceitos'),
    )

/** As `optionalName`, and it is there. */
export const writtenName = (lengthMax: number, wrong?: string) =>
  optionalName(lengthMax, wrong).check(z.minLength(1, wrong))

/** As `writtenName`, with a letter or a digit. */
export const sayingName = (lengthMax: number, wrong?: string) => writtenName(lengthMax, wrong).check(mustSay(wrong))
