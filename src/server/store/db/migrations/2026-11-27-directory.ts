import { column, type Step } from './steps.ts'

/** Who is of the company's directory; null: a local user. */
export const directory: Record<string, Step> = {
  users_directory: column('directory', 'users', (c) => c.key(16)),
}
