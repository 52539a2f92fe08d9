import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
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
  type Texts,
} from '../config.ts'
import type { Outside } from '../outside.ts'
import type { Reader } from '../store/db/db.ts'
import { faultText } from '../store/file-faults.ts'
import { findInstallation, isNew, type StoredInstallation } from '../store/settings.ts'
import { findKind } from './database-kind.ts'
import { flushFolderOf } from './secret-key.ts'

/** Each with the address that it was given for: it goes to no other. */
export type SecretSet = Partial<Record<PageSecret, { value: string; address: string | null }>>

/** Beside the present ones those of a save whose row was not surely committed: they hold once the row names them. */
export type Secrets = SecretSet & { next?: { id: string; set: SecretSet } }

/** The file is written before the row, so that a kill between them leaves those that fit the row, whichever it is. */
export function secretsOf(
  { next, ...present }: Secrets,
  { secrets: id }: Pick<StoredInstallation, 'secrets'>,
): SecretSet {
  return next !== undefined && next.id === id ? next.set : present
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secrets.json')

/** Secrets written by the page. They never stand in the database, so no backup has them. */
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
  flushFolderOf(file)
}

/** After the commit, and at a start: what the row does not name stays beside, for its commit may have been slow. */
export function dropFormerSecrets(
  { config, log }: Pick<Outside, 'log'> & { config: Pick<Config, 'dataDir'> },
  stored: StoredInstallation,
): void {
  try {
    const { next } = readSecrets(config)
    if (next !== undefined && next.id === stored.secrets) writeSecrets(config, next.set)
  } catch (error) {
    log.warn({ err: error }, 'the secrets before the last save could not be taken out of their file')
  }
}

/** Set by the environment, or opened by a secret that is: the page could send that one to an address of its own. */
export const isFixed = (name: PageText | PageSecret, env: Texts): boolean =>
  env[name] !== undefined || pageSecretNames.some((secret) => pageSecrets[secret] === name && env[secret] !== undefined)

/** Values set by the page, by the names of variables, as far as the page may set them. */
export function textsOfPage(env: Texts, stored: StoredInstallation, secrets: Secrets): Record<string, string> {
  const { values } = stored
  const fitting = secretsOf(secrets, stored)
  const texts: Record<string, string> = {}
  for (const name of pageTexts) {
    const value = values[name]
    if (value !== undefined && !isFixed(name, env)) texts[name] = value
  }
  // in the table an address comes before what opens it
  for (const name of pageSecretNames) {
    const secret = fitting[name]
    const opens = pageSecrets[name]
    const address = opens === null ? null : (env[opens] ?? texts[opens] ?? null)
    if (secret && secret.address === address && !isFixed(name, env)) texts[name] = secret.value
  }
  return texts
}

/** The row and the file of one moment: a save between two readings would part them. */
export async function readBoth(
  config: Pick<Config, 'dataDir'>,
  findStored: () => Promise<StoredInstallation>,
): Promise<{ stored: StoredInstallation; secrets: Secrets }> {
  for (let secrets = readSecrets(config); ; ) {
    const stored = await findStored()
    const again = readSecrets(config)
    if (isDeepStrictEqual(again, secrets)) return { stored, secrets }
    secrets = again
  }
}

/** The configuration with what this database and this folder remember beside the environment, which wins. */
const completedBy =
  <C>(read: (env: Texts, beside: Beside) => C) =>
  async (db: Reader, env: Texts, given: CommandConfig): Promise<{ config: C; stored: StoredInstallation }> => {
    const isYoung = await isNew(db)
    const mode = isYoung ? given.mode : await findKind(db)
    const none = { version: 0, values: {} }
    const { stored, secrets } = await readBoth(given, async () => (isYoung ? none : await findInstallation(db)))
    const page = textsOfPage(env, stored, secrets)
    return { config: read(env, { page, mode }), stored }
  }

export const completeConfig = completedBy(readConfig)
export const completeCommandConfig = completedBy(readCommandConfig)
export const completeErpCommandConfig = completedBy(readErpCommandConfig)
