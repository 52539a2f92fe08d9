import { readFileSync } from 'node:fs'

let common: ReadonlySet<string> | undefined

/** Whether it stands in lists of what was used most elsewhere. Where they come from is said at their head. */
export function isCommon(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return common.has(password.toLowerCase())
}
