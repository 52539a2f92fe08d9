import { ADMIN_PASSWORD_LENGTH_MIN, Password, type Username } from '../../../contract/sessions.ts'
import type { Role } from '../../../contract/values.ts'
import { isEasilyGuessed } from '../../../domain/passwords.ts'

/** What is wrong with what was typed, in the contract's own words. */
export const trouble = (schema: typeof Username, typed: string): string | undefined =>
  typed === '' ? undefined : schema.safeParse(typed).error?.issues[0]?.message

/** Whose password it is to be. */
export type Owner = { username: string; fullName: string; role: Role }

const isShortForAdmin = (password: string, { role }: Owner) =>
  role === 'admin' && password.length < ADMIN_PASSWORD_LENGTH_MIN

export function passwordTrouble(password: string, owner: Owner, siteName: string): string | undefined {
  if (password === '') return undefined
  const wrong = trouble(Password, password)
  if (wrong) return wrong
  if (isShortForAdmin(password, owner)) {
    return `A senha de administrador precisa de pelo menos ${ADMIN_PASSWORD_LENGTH_MIN} caracteres`
  }
  const isEasy = isEasilyGuessed(password, [owner.username, owner.fullName, siteName])
  return isEasy ? 'Fácil de adivinhar: escolha outra' : undefined
}
