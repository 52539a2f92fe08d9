import { createRequire } from 'node:module'

/** Each costs megabytes, and a server needs that of its own database only: loaded when it is first used. */
const require = createRequire(import.meta.url)

export const sqliteDriver = () => require('better-sqlite3') as typeof import('better-sqlite3')
export const mysqlDriver = () => require('mysql2') as typeof import('mysql2')
