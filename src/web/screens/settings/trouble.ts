import { Password, type Username } from '../../../contract/sessions.ts'
import { isEasilyGuessed } from '../../../domain/passwords.ts'

/** What is wrong with what was typed, in the contract's own words. */
export const trouble = (schema: typeof Username, typed: string): string | undefined =>
  typed === '' ? undefined : schema.safeParse(typed).error?.issues[0]?.message

export const passwordTrouble = (password: string, username: string): string | undefined =>
  trouble(Password, password) ??
  (password !== '' && isEasilyGuessed(password, username) ? 'Fácil de adivinhar: escolha outra' : undefined)
