import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type PageSecret,
  type PageText,
  pageSecretNames,
  pageSecrets,
  pageTexts,
} from '../../contract/installation-settings.ts'
import {
  type Beside,
  type CommandConfig,
  type Config,
  ConfigError,
  readCommandConfig,
  readConfig,
  readErpCommandConfig,
} from '../config.ts'
import type { Reader } from '../store/db/db.ts'
import { faultText } from '../store/file-faults.ts'
import { findInstallation, isNew, type StoredInstallation } from '../store/settings.ts'
import { findKind } from './database-kind.ts'

type Texts = Readonly<Record<string, string | undefined>>

/** Each with the address that it was given for: it goes to no other. */
export type Secrets = Partial<Record<PageSecret, { value: string; address: string | null }>>

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secrets.json')

/** What the page has written. Secrets never stand in the database, so no backup has them. */
export function readSecrets(config: Pick<Config, 'dataDir'>): Secrets {
  const file = fileOf(config)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new ConfigError(
      `O arquivo ${file} não pôde ser lido (${faultText(error)}): corrija-o, ou apague-o e escreva as senhas de novo na tela.`,
      { cause: message },
    )
  }
}

/** Whole or not at all, and for the panel's own account only. */
export function writeSecrets(config: Pick<Config, 'dataDir'>, secrets: Secrets): void {
  const file = fileOf(config)
  const isEmpty = Object.keys(secrets).length === 0
  const beside = `${file}.novo`
  for (const old of isEmpty ? [beside, file] : [beside]) rmSync(old, { force: true })
  if (isEmpty) return
  writeFileSync(beside, JSON.stringify(secrets), { mode: 0o600, flush: true })
  renameSync(beside, file)
}

/** Set by the environment, or opened by a secret that is: the page could send that one to an address of its own. */
export const isFixed = (name: PageText | PageSecret, env: Texts): boolean =>
  env[name] !== undefined || pageSecretNames.some((secret) => pageSecrets[secret] === name && env[secret] !== undefined)

/** What the page has set, by the names of variables, as far as it is for the page to set. */
export function textsOfPage(env: Texts, { values }: StoredInstallation, secrets: Secrets): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name of pageTexts) {
    const value = values[name]
    if (value !== undefined && !isFixed(name, env)) texts[name] = value
  }
  // in the table an address comes before what opens it
  for (const name of pageSecretNames) {
    const secret = secrets[name]
    const opens = pageSecrets[name]
    const address = opens === null ? null : (env[opens] ?? texts[opens] ?? null)
    if (secret && secret.address === address && !isFixed(name, env)) texts[name] = secret.value
  }
  return texts
}

/** The configuration with what this database and this folder remember beside the environment, which wins. */
const completedBy =
  <C>(read: (env: Texts, beside: Beside) => C) =>
  async (db: Reader, env: Texts, given: CommandConfig): Promise<{ config: C; stored: StoredInstallation }> => {
    const isYoung = await isNew(db)
    const stored = isYoung ? { version: 0, values: {} } : await findInstallation(db)
    const mode = isYoung ? given.mode : await findKind(db)
    const page = textsOfPage(env, stored, readSecrets(given))
    return { config: read(env, { page, mode }), stored }
  }

export const completeConfig = completedBy(readConfig)
export const completeCommandConfig = completedBy(readCommandConfig)
export const completeErpCommandConfig = completedBy(readErpCommandConfig)
