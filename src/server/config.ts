import { existsSync, fstatSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type * as z from 'zod/mini'
import { issueText } from '../contract/errors.ts'
import { pageDefaults } from '../contract/installation-settings.ts'
import { plantsOf } from '../domain/plant/plants.ts'
import { editsBetween } from '../domain/text/edits.ts'
import { type DirectorySettings, readDirectorySettings } from './directory/settings.ts'
import { ErpSettings } from './erp/settings.ts'
import { mysqlAddress } from './store/db/mysql-address.ts'
import { faultText, faultTextOf } from './store/file-faults.ts'
import { foreignNames, isMailAddress, isVariable, listOf, type modes, type Variables, variables } from './variables.ts'

/** In UTF-8, with or without a byte order mark, which Node would make a part of the first name. */
function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ConfigError(`O arquivo ${file} não pôde ser lido (${faultText(error)}).`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ConfigError(`O arquivo ${file} não está em UTF-8: grave-o de novo como UTF-8.`)
  }
}

/** An unquoted value ends at a `#`, also in the middle of a password; what follows a blank is meant as a comment. */
const CUT_VALUE = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?![ \t]*["'`])(?:[^#\n]*[^#\s])?#/gm

function refuseCutValues(text: string): void {
  for (const [, name = ''] of text.matchAll(CUT_VALUE)) {
    if (!isVariable(name)) continue
    throw new ConfigError(
      `${name} inválido: no arquivo .env nada conta depois de # sem aspas. Ponha o valor entre aspas simples.`,
    )
  }
}

/** The process's own variables; a `.env` beside package.json fills in what they leave out. Throws ConfigError. */
export function readEnvironment(): Record<string, string | undefined> {
  if (!existsSync('.env')) return process.env
  const text = readText('.env')
  refuseCutValues(text)
  return { ...parseEnv(text), ...process.env }
}

/** A variable that cannot be used; the message names it and says what is expected. Stops the start. */
export class ConfigError extends Error {}

const STDOUT = 1

/** Whether what this process prints is read by systemd's journal. A terminal may inherit the variable and print elsewhere. */
export function isJournal(stream: string | undefined): boolean {
  if (!stream) return false
  try {
    const { dev, ino } = fstatSync(STDOUT)
    return stream === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** Configuration of a command that reads no file of the ERP or of the directory. */
export type CommandConfig = ReturnType<typeof commandConfigOf>
export type ErpCommandConfig = CommandConfig & { erpSettings: ErpSettings }
/** `directory` null: all users are local. */
export type Config = Omit<ErpCommandConfig, 'directory'> & { directory: DirectorySettings | null }

/** Shorter names resemble unrelated variables: HOME, NODE. */
const GUESSED_LENGTH_MIN = 6

/** One letter left out, added, changed or changed places with the next; of a long name two. */
const isMisspelt = (name: string, known: string): boolean =>
  known.length >= GUESSED_LENGTH_MIN && editsBetween(name.toUpperCase(), known) <= (known.length < 10 ? 1 : 2)

/** A start that went by a default because of a typing error, or another product's word, would be a demonstration in a plant. */
function refuseUnknown(env: Texts): void {
  const left = Object.keys(variables).filter((known) => env[known] === undefined)
  for (const name of Object.keys(env).filter((one) => !isVariable(one))) {
    const ours = foreignNames[name.toUpperCase()]
    if (ours && left.includes(ours)) {
      throw new ConfigError(`${name} não é conhecida: aqui é ${ours}, ${variables[ours][1]}.`)
    }
    const meant = left.find((known) => isMisspelt(name, known))
    if (meant) throw new ConfigError(`${name} não é conhecida: quis dizer ${meant}?`)
  }
}

/** As in the files of deploy/. */
const SAMPLE_SECRET = /troque-(esta-senha|por-)/

/** The fault of a text for a variable, as the end of a sentence that begins with its name; null: none. */
export function findFault(name: keyof typeof variables, raw: string): string | null {
  const [schema, expected] = variables[name]
  // an empty value would silently select the default
  if (raw.trim() === '') return 'está vazia: preencha ou apague a linha.'
  if (SAMPLE_SECRET.test(raw)) return 'ainda tem a senha do exemplo: escreva a verdadeira.'
  return (schema as z.ZodMiniType).safeParse(raw).success ? null : `inválido: esperado ${expected}.`
}

function readVariables(texts: Texts): Variables {
  const known: Record<string, unknown> = {}
  for (const [name, [schema]] of Object.entries(variables)) {
    const raw = texts[name]
    if (raw === undefined) continue
    const fault = findFault(name as keyof typeof variables, raw)
    if (fault !== null) throw new ConfigError(`${name} ${fault}`)
    known[name] = (schema as z.ZodMiniType).parse(raw)
  }
  return known as Variables
}

function readErpSettings(file: string | undefined): ErpSettings {
  if (!file) return ErpSettings.parse({})
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`ERP_CONFIG inválido: não foi possível ler ${file} (${faultText(error)}).`)
  }
  const parsed = ErpSettings.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const field = [...(issue?.path ?? []), ...unknown.slice(0, 1)].join('.') || '(raiz)'
  throw new ConfigError(`ERP_CONFIG inválido: ${file}, campo ${field}: ${issue ? issueText(issue) : 'Valor inválido'}.`)
}

/** Null: nobody has named one, or in the page not yet all of it. */
function readErp(v: Variables, env: Texts) {
  const { ERP_URL: url, ERP_USER: user, ERP_PASSWORD: password } = v
  if (url && user && password) return { url: url.replace(/\/+$/, ''), user, password }
  if (env.ERP_URL !== undefined) {
    throw new ConfigError('ERP_USER e ERP_PASSWORD faltam: com ERP_URL o painel precisa deles para entrar no ERP.')
  }
  if (env.ERP_PASSWORD !== undefined)
    throw new ConfigError('ERP_URL falta: com ERP_PASSWORD o painel precisa do endereço do ERP.')
  return null
}

function readDirectory(v: Variables): DirectorySettings | null {
  try {
    return readDirectorySettings(v)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

type Database = { kind: 'sqlite'; file: string } | { kind: 'mysql'; url: string }

function readDatabase(url: string, dataDir: string): Database {
  if (!url.startsWith('mysql:')) {
    return { kind: 'sqlite', file: resolve(dataDir, url.slice('sqlite:'.length) || 'painel.sqlite') }
  }
  try {
    mysqlAddress(url)
  } catch (error) {
    throw new ConfigError(
      `DATABASE_URL inválido: não foi possível ler o certificado de ssl-ca (${faultTextOf(error)}).`,
    )
  }
  return { kind: 'mysql', url }
}

function readMail({ SMTP_URL: smtpUrl = 'smtp://127.0.0.1:25', ...v }: Variables) {
  const to = listOf(v.ALARM_MAIL_TO ?? '')
  const [first] = to
  if (first === undefined) return null
  // many servers take mail only from the one who logs in
  const user = decodeURIComponent(new URL(smtpUrl).username)
  return { smtpUrl, from: v.ALARM_MAIL_FROM ?? (isMailAddress(user) ? user : first), to }
}

/** Variables as they are written. */
export type Texts = Readonly<Record<string, string | undefined>>

type Mode = (typeof modes)[number]

export type Beside = {
  /** Values set in the page; the environment wins. */
  page?: Texts
  /** Where neither `MODE` nor `ERP_URL` says it. */
  mode?: Mode | undefined
}

function commandConfigOf(v: Variables, env: Texts, otherwise: Mode) {
  const mode = v.MODE ?? (env.ERP_URL === undefined ? otherwise : 'plant')
  const dataDir = resolve(v.DATA_DIR ?? 'data')
  return {
    mode,
    /** The variable that decided the mode, also by being left out. */
    modeFrom: v.MODE ? ('MODE' as const) : ('ERP_URL' as const),
    host: v.HOST ?? '127.0.0.1',
    port: v.PORT ?? 3000,
    dataDir,
    backupDir: resolve(v.BACKUP_DIR ?? join(dataDir, 'backups')),
    /** Files of the documents; two servers share one. */
    documentsDir: resolve(v.DOCUMENTS_DIR ?? join(dataDir, 'documentos')),
    /** Null: beside a SQLite, and in a MariaDB. */
    secretKeyFile: v.SECRET_KEY_FILE ? resolve(v.SECRET_KEY_FILE) : null,
    database: readDatabase(v.DATABASE_URL ?? 'sqlite:', dataDir),
    /** Null in the demonstration: its simulator's address is known only once it listens. Also in a plant that has named none. */
    erp: mode === 'plant' ? readErp(v, env) : null,
    erpCompany: v.ERP_COMPANY ?? pageDefaults.ERP_COMPANY,
    erpMaxConcurrent: v.ERP_MAX_CONCURRENT ?? Number(pageDefaults.ERP_MAX_CONCURRENT),
    erpLookup: v.ERP_LOOKUP ?? pageDefaults.ERP_LOOKUP,
    /** The simulated ERP. `speed` 0 answers at once, 1 takes as long as in the field. */
    demoErp: {
      profile: v.DEMO_ERP_PROFILE ?? 'realistic',
      speed: v.DEMO_ERP_PROFILE === 'clean' ? 0 : 1,
      /** `none`: it cannot be asked by id and stores twice what it gets twice. */
      lookup: v.DEMO_ERP_LOOKUP ?? 'id',
    },
    /** Other machines may reach the demonstration; its passwords are random then. */
    demoOnLan: v.DEMO_ON_LAN === 'on',
    siteName: v.SITE_NAME ?? pageDefaults.SITE_NAME,
    plants: plantsOf(v.PLANTS ?? pageDefaults.PLANTS),
    timeZone: v.TIME_ZONE ?? pageDefaults.TIME_ZONE,
    /** When each shift begins, `HH:MM`, in their order. */
    shifts: listOf(v.SHIFTS ?? pageDefaults.SHIFTS),
    authBasicPassword: (v.AUTH_BASIC_PASSWORD ?? (mode === 'plant' ? 'off' : 'on')) === 'on',
    allowPlainHttp: v.ALLOW_PLAIN_HTTP === 'on',
    trustedProxies: listOf(v.TRUSTED_PROXIES ?? ''),
    directory: v.LDAP_URL === undefined ? null : { url: v.LDAP_URL },
    /** After as many without a touch a session ends; 0: never, null: nobody has chosen. */
    idleMinutes: v.IDLE_MINUTES ?? null,
    /** Null: `/metrics` is off. */
    metricsToken: v.METRICS_TOKEN ?? null,
    /** As tablets open it; null: nobody said. */
    publicUrl: v.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    /** Where alarms go. Addresses and passwords of both are secrets. */
    alarmWebhook: v.ALARM_WEBHOOK_URL ? { url: v.ALARM_WEBHOOK_URL, token: v.ALARM_WEBHOOK_TOKEN ?? null } : null,
    alarmMail: readMail(v),
    /** Months after which a recording loses its operator's name. */
    operatorRetentionMonths: v.OPERATOR_RETENTION_MONTHS ?? 84,
    logLevel: v.LOG_LEVEL ?? 'info',
    /** `journal`: Portuguese lines with the priorities of syslog. */
    logFormat: v.LOG_FORMAT ?? (isJournal(env.JOURNAL_STREAM) ? 'journal' : 'json'),
  }
}

function readTexts(env: Texts, { page = {}, mode = 'demonstration' }: Beside): [v: Variables, config: CommandConfig] {
  refuseUnknown(env)
  const v = readVariables({ ...page, ...env })
  return [v, commandConfigOf(v, env, mode)]
}

/** For a command that neither calls the ERP nor asks the directory: it reads no file of theirs. Throws ConfigError. */
export const readCommandConfig = (env: Texts, beside: Beside = {}): CommandConfig => readTexts(env, beside)[1]

/** For one that calls the ERP. Throws ConfigError. */
export function readErpCommandConfig(env: Texts, beside: Beside = {}): ErpCommandConfig {
  const [v, config] = readTexts(env, beside)
  return { ...config, erpSettings: readErpSettings(v.ERP_CONFIG) }
}

/** `MODE` or else `ERP_URL` says whether this is a plant; everything else has a default that works. Throws ConfigError. */
export function readConfig(env: Texts, beside: Beside = {}): Config {
  const [v, config] = readTexts(env, beside)
  return { ...config, erpSettings: readErpSettings(v.ERP_CONFIG), directory: readDirectory(v) }
}
