import * as z from 'zod/mini'

/** Answers that a link opens, which carries no header: a spreadsheet, and a page to print. */
export const csvAnswer = { suffices: 'cookie', reply: z.string(), file: 'text/csv; charset=utf-8' } as const
export const printedAnswer = { suffices: 'cookie', reply: z.string(), file: 'text/html; charset=utf-8' } as const
