import * as z from 'zod/mini'

/** Text that a person or a scanner typed: one line, no control characters. `wrong` is said of one too short or too long. */
export const text = (lengthMax: number, wrong?: string) =>
  z
    .string()
    .check(
      z.minLength(1, wrong),
      z.maxLength(lengthMax, wrong),
      z.regex(/^\P{Cc}*$/u, 'Caracteres de controle não são aceitos'),
    )

/** As `text`, but may be empty. */
export const optionalText = (lengthMax: number) =>
  z.string().check(z.maxLength(lengthMax), z.regex(/^\P{Cc}*$/u, 'Caracteres de controle não são aceitos'))

/** As `optionalText`, with line breaks. */
export const optionalLines = (lengthMax: number) =>
  z.string().check(z.maxLength(lengthMax), z.regex(/^(\P{Cc}|\r?\n)*$/u, 'Caracteres de controle não são aceitos'))

/** A letter or a digit, of whatever script: blanks, dots and dashes say nothing. */
const SAYS = /[\p{L}\p{N}]/u
export const saysSomething = (typed: string): boolean => SAYS.test(typed)

/** Refuses a text that says nothing where one must: a reason, an action, a title. */
export const mustSay = (wrong = 'Escreva ao menos uma letra ou um número') => z.regex(SAYS, wrong)

/** As `text`, and it says something. */
export const saying = (lengthMax: number, wrong?: string) => text(lengthMax, wrong).check(mustSay(wrong))

/** `YYYY-MM-DD` at the plant. */
export const Day = z.iso.date()

/** A row's id in an address, where everything is text. */
export const RowId = z.pipe(
  z.string().check(z.maxLength(15, 'Esperado um número'), z.regex(/^[1-9]\d*$/, 'Esperado um número')),
  z.transform((digits) => Number(digits)),
)

/** The address of one row. */
export const RowKey = z.strictObject({ id: RowId })

/** Made by the client before the first attempt, so that every retry names the same act. */
export const Id = z.uuid()

export const IdKey = z.strictObject({ id: Id })

/** A moment, always UTC ISO 8601. Which day it falls on at the plant is a question for `domain/plant/plant-time.ts`. */
export const Instant = z.iso.datetime()
export type Instant = z.infer<typeof Instant>

/** Protheus branches may contain blanks (`T3,M RJ 01`); which ones exist is configuration. */
export const BRANCH_LENGTH_MAX = 12
export const BranchCode = text(BRANCH_LENGTH_MAX)

export const BARCODE_LENGTH = 22
/** Opaque: only its length is known. */
export const ItemBarcode = z
  .string()
  .check(z.length(BARCODE_LENGTH), z.regex(/^\P{Cc}*$/u, 'Caracteres de controle não são aceitos'))

/** Absurd numbers are refused at the edge; the real bound is the open quantity of the order. */
export const Pieces = z.int().check(z.minimum(1), z.maximum(1_000_000))

/** In the order in which people choose. What each may do: `domain/people/permissions.ts`. */
export const roles = ['operador', 'manutencao', 'qualidade', 'lider', 'consulta', 'admin'] as const
export type Role = (typeof roles)[number]
export const Role = z.enum(roles)

/** Teams that can be called, in the order of their buttons. A call without a team is for the first. */
export const callTeams = ['manutencao', 'qualidade', 'material', 'lider'] as const
export type CallTeam = (typeof callTeams)[number]

/** Permissions of a caller; `domain/people/permissions.ts` says who has each. */
export type Permission =
  | 'session'
  | 'account'
  | 'board'
  | 'read'
  | 'record'
  | 'tools'
  | 'limits'
  | 'maintain'
  | 'correct'
  | 'documents'
  | 'plans'
  | 'dispose'
  | 'decide'
  | 'administer'
