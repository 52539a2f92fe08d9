import { existsSync, fstatSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { issueText } from '../contract/errors.ts'
import type { Plant } from '../contract/settings.ts'
import { editsBetween } from '../domain/edits.ts'
import { ErpSettings } from './erp/settings.ts'
import { mysqlAddress } from './store/db/mysql-address.ts'

/** In UTF-8, with or without a byte order mark, which Node would make a part of the first name. */
function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ConfigError(`O arquivo ${file} não pôde ser lido (${(error as Error).message}).`)
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

const demoErpProfiles = ['clean', 'realistic', 'dirty', 'hostile'] as const
const modes = ['plant', 'demonstration'] as const
const onOff = z.enum(['on', 'off'])
/** Only a shell knows whose home `~` is; a folder of that name would be made. */
const path = z.string().check(z.regex(/^[^~]/))
const wholeNumber = (min: number, max: number) =>
  z.pipe(z.string().check(z.regex(/^\d+$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))))

const isTimeZone = (name: string) => {
  try {
    // its sign is the other way round than everybody thinks
    if (/GMT[+-]/i.test(name)) return false
    return Boolean(new Intl.DateTimeFormat('pt-BR', { timeZone: name }))
  } catch {
    return false
  }
}

/** What is wrong inside an address would otherwise come out as a stack trace, password included. */
const isDatabaseUrl = (url: string) => {
  if (url.startsWith('sqlite:')) return true
  try {
    const { protocol, username, password, hostname, pathname, searchParams } = new URL(url)
    return (
      protocol === 'mysql:' &&
      // one that is misspelt would leave the password in clear
      [...searchParams].every(([name, value]) => name === 'ssl-ca' && value !== '') &&
      [username, password, hostname, pathname.slice(1)]
        .map(decodeURIComponent)
        .every((part, at) => at < 2 || part !== '')
    )
  } catch {
    return false
  }
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** An address, or a network as `10.0.0.0/8`. */
const isProxy = (entry: string) => {
  const [address = '', bits = '1', ...more] = entry.split('/')
  const bitsMax = isIP(address) === 6 ? 128 : 32
  return isIP(address) > 0 && more.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax
}

const plantsOf = (list: string): Plant[] =>
  list.split(',').map((pair) => {
    const [code = '', label = ''] = pair.split('=')
    return { code: code.trim(), label: label.trim() }
  })

const isPlantList = (list: string) => {
  const plants = plantsOf(list)
  const isEachOnce = (words: string[]) => new Set(words).size === words.length
  return (
    isEachOnce(plants.map(({ code }) => code)) &&
    isEachOnce(plants.map(({ label }) => label.toLocaleLowerCase('pt-BR')))
  )
}

/** At which times of the day (`HH:MM`) shifts begin; the last one ends where the first one of the next day begins. */
const isShiftList = (list: string) => {
  const times = list.split(',').map((time) => time.trim())
  return times.every((time, at) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time) && (at === 0 || time > (times[at - 1] ?? '')))
}

/** One row per variable: its schema, and the description that a refusal shows. */
const variables = {
  MODE: [z.enum(modes), 'plant ou demonstration'],
  HOST: [z.string().check(z.minLength(1)), 'um endereço, por exemplo 127.0.0.1 ou 0.0.0.0'],
  PORT: [wholeNumber(0, 65535), 'um número de 0 a 65535'],
  DATA_DIR: [path, 'o caminho de uma pasta, sem ~'],
  BACKUP_DIR: [path, 'o caminho de uma pasta, sem ~, de preferência em outro disco'],
  DOCUMENTS_DIR: [path, 'o caminho de uma pasta, sem ~'],
  SECRET_KEY_FILE: [path, 'o caminho de um arquivo, sem ~, o mesmo em todos os servidores'],
  DATABASE_URL: [
    z.string().check(z.refine(isDatabaseUrl)),
    'mysql://usuario:senha@servidor:porta/banco (com # % / ? @ da senha escritos como %23 %25 %2F %3F %40), com ?ssl-ca=arquivo se o servidor exige TLS, ou sqlite:arquivo',
  ],
  ERP_URL: [
    z.string().check(z.regex(/^https?:\/\/[^\s?#]+$/), z.refine(URL.canParse)),
    'o endereço do ERP até /rest, por exemplo http://erp:8080/rest',
  ],
  ERP_USER: [z.string(), 'o usuário do ERP'],
  ERP_PASSWORD: [z.string(), 'a senha do ERP'],
  ERP_COMPANY: [z.string().check(z.minLength(1), z.maxLength(12)), 'o grupo de empresas, por exemplo 01'],
  ERP_MAX_CONCURRENT: [wholeNumber(1, 64), 'um número de 1 a 64'],
  ERP_LOOKUP: [z.enum(['id', 'none']), 'id ou none'],
  ERP_CONFIG: [z.string().check(z.minLength(1)), 'o caminho de um arquivo JSON'],
  DEMO_ERP_PROFILE: [z.enum(demoErpProfiles), 'clean, realistic, dirty ou hostile'],
  DEMO_ERP_LOOKUP: [z.enum(['id', 'none']), 'id ou none'],
  DEMO_ON_LAN: [onOff, 'on ou off'],
  SITE_NAME: [z.string().check(z.minLength(1), z.maxLength(60)), 'um nome de até 60 letras'],
  PLANTS: [
    z.string().check(z.regex(/^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/), z.refine(isPlantList)),
    'codigo=nome, separados por vírgula e sem repetir código nem nome, por exemplo 010101=Unidade 1,020101=Unidade 2',
  ],
  TIME_ZONE: [
    z.string().check(z.refine(isTimeZone)),
    'um fuso horário com nome de lugar, por exemplo America/Sao_Paulo',
  ],
  SHIFTS: [
    z.string().check(z.refine(isShiftList)),
    'a hora em que cada turno começa, em ordem e separadas por vírgula, por exemplo 06:00,14:00,22:00',
  ],
  AUTH_BASIC_PASSWORD: [onOff, 'on ou off'],
  ALLOW_PLAIN_HTTP: [onOff, 'on ou off'],
  TRUSTED_PROXIES: [
    z.string().check(z.refine((list) => listOf(list).every(isProxy))),
    'endereços IP ou redes separados por vírgula, por exemplo 10.0.0.5,192.168.0.0/24',
  ],
  IDLE_MINUTES: [wholeNumber(0, 1440), 'um número de minutos até 1440; 0 é nunca'],
  METRICS_TOKEN: [
    z.string().check(z.regex(/^[\w.~+/=-]{16,}$/)),
    'pelo menos 16 letras e algarismos, por exemplo o que openssl rand -hex 24 escreve',
  ],
  OPERATOR_RETENTION_MONTHS: [wholeNumber(24, 1200), 'um número de meses de 24 a 1200'],
  LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'fatal, error, warn, info, debug, trace ou silent',
  ],
  LOG_FORMAT: [z.enum(['journal', 'json']), 'journal ou json'],
} as const

export const isVariable = (name: string): boolean => Object.hasOwn(variables, name)

type Variables = { [K in keyof typeof variables]?: z.output<(typeof variables)[K][0]> }

export type Config = {
  mode: (typeof modes)[number]
  /** The variable that decided the mode. */
  modeFrom: 'MODE' | 'ERP_URL'
  host: string
  port: number
  dataDir: string
  backupDir: string
  /** Files of the documents; two servers share one. */
  documentsDir: string
  /** Null: beside a SQLite, and in a MariaDB. */
  secretKeyFile: string | null
  database: { kind: 'sqlite'; file: string } | { kind: 'mysql'; url: string }
  /** Null in the demonstration: its simulator's address is known only once it listens. */
  erp: { url: string; user: string; password: string } | null
  erpCompany: string
  erpMaxConcurrent: number
  erpLookup: 'id' | 'none'
  erpSettings: ErpSettings
  /** The simulated ERP. `none`: it cannot be asked by id and stores twice what it gets twice. */
  /** `speed` 0 answers at once, 1 takes as long as in the field. */
  demoErp: { profile: (typeof demoErpProfiles)[number]; speed: number; lookup: 'id' | 'none' }
  /** Other machines may reach the demonstration; its passwords are random then. */
  demoOnLan: boolean
  siteName: string
  plants: Plant[]
  timeZone: string
  /** When each shift begins, `HH:MM`, in their order. */
  shifts: string[]
  authBasicPassword: boolean
  allowPlainHttp: boolean
  trustedProxies: string[]
  /** After as many without a touch a screen asks for log-in again; 0: never. */
  idleMinutes: number
  /** Null: `/metrics` is off. */
  metricsToken: string | null
  /** Months after which a recording loses its operator's name. */
  operatorRetentionMonths: number
  logLevel: string
  /** `journal`: Portuguese lines with the priorities of syslog. */
  logFormat: 'journal' | 'json'
}

/** Shorter names resemble unrelated variables: HOME, NODE. */
const GUESSED_LENGTH_MIN = 6

/** One letter left out, added, changed or changed places with the next; of a long name two. */
const isMisspelt = (name: string, known: string): boolean =>
  known.length >= GUESSED_LENGTH_MIN && editsBetween(name.toUpperCase(), known) <= (known.length < 10 ? 1 : 2)

/** A start that went by a default because of a typing error would be a demonstration in a plant. */
function refuseMisspelt(env: Record<string, string | undefined>): void {
  const left = Object.keys(variables).filter((known) => env[known] === undefined)
  for (const name of Object.keys(env).filter((one) => !isVariable(one))) {
    const meant = left.find((known) => isMisspelt(name, known))
    if (meant) throw new ConfigError(`${name} não é conhecida: quis dizer ${meant}?`)
  }
}

/** As in the files of deploy/. */
const SAMPLE_SECRET = /troque-(esta-senha|por-)/

function readVariables(env: Record<string, string | undefined>): Variables {
  const known: Record<string, unknown> = {}
  for (const [name, [schema, expected]] of Object.entries(variables)) {
    const raw = env[name]
    if (raw === undefined) continue
    // an empty value would silently select the default
    if (raw.trim() === '') throw new ConfigError(`${name} está vazia: preencha ou apague a linha.`)
    if (SAMPLE_SECRET.test(raw)) throw new ConfigError(`${name} ainda tem a senha do exemplo: escreva a verdadeira.`)
    const parsed = (schema as z.ZodMiniType).safeParse(raw)
    if (!parsed.success) throw new ConfigError(`${name} inválido: esperado ${expected}.`)
    known[name] = parsed.data
  }
  return known as Variables
}

function readErpSettings(file: string | undefined): ErpSettings {
  if (!file) return ErpSettings.parse({})
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`ERP_CONFIG inválido: não foi possível ler ${file} (${(error as Error).message}).`)
  }
  const parsed = ErpSettings.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const field = [...(issue?.path ?? []), ...unknown.slice(0, 1)].join('.') || '(raiz)'
  throw new ConfigError(`ERP_CONFIG inválido: ${file}, campo ${field}: ${issue ? issueText(issue) : 'Valor inválido'}.`)
}

function readErp(v: Variables): Config['erp'] {
  const { ERP_URL: url, ERP_USER: user, ERP_PASSWORD: password } = v
  if (!url) throw new ConfigError('ERP_URL, ERP_USER e ERP_PASSWORD faltam: com MODE=plant o painel precisa do ERP.')
  if (!user || !password) {
    throw new ConfigError('ERP_USER e ERP_PASSWORD faltam: com ERP_URL o painel precisa deles para entrar no ERP.')
  }
  return { url: url.replace(/\/+$/, ''), user, password }
}

function readDatabase(url: string, dataDir: string): Config['database'] {
  if (!url.startsWith('mysql:')) {
    return { kind: 'sqlite', file: resolve(dataDir, url.slice('sqlite:'.length) || 'painel.sqlite') }
  }
  try {
    mysqlAddress(url)
  } catch (error) {
    throw new ConfigError(
      `DATABASE_URL inválido: não foi possível ler o certificado de ssl-ca (${(error as Error).message}).`,
    )
  }
  return { kind: 'mysql', url }
}

/** `MODE` or else `ERP_URL` says whether this is a plant; everything else has a default that works. Throws ConfigError. */
export function readConfig(env: Record<string, string | undefined>): Config {
  refuseMisspelt(env)
  const v = readVariables(env)
  const mode = v.MODE ?? (v.ERP_URL ? 'plant' : 'demonstration')
  const dataDir = resolve(v.DATA_DIR ?? 'data')
  return {
    mode,
    modeFrom: v.MODE ? 'MODE' : 'ERP_URL',
    host: v.HOST ?? '127.0.0.1',
    port: v.PORT ?? 3000,
    dataDir,
    backupDir: resolve(v.BACKUP_DIR ?? join(dataDir, 'backups')),
    documentsDir: resolve(v.DOCUMENTS_DIR ?? join(dataDir, 'documentos')),
    secretKeyFile: v.SECRET_KEY_FILE ? resolve(v.SECRET_KEY_FILE) : null,
    database: readDatabase(v.DATABASE_URL ?? 'sqlite:', dataDir),
    erp: mode === 'plant' ? readErp(v) : null,
    erpCompany: v.ERP_COMPANY ?? '01',
    erpMaxConcurrent: v.ERP_MAX_CONCURRENT ?? 2,
    erpLookup: v.ERP_LOOKUP ?? 'id',
    erpSettings: readErpSettings(v.ERP_CONFIG),
    demoErp: {
      profile: v.DEMO_ERP_PROFILE ?? 'realistic',
      speed: v.DEMO_ERP_PROFILE === 'clean' ? 0 : 1,
      lookup: v.DEMO_ERP_LOOKUP ?? 'id',
    },
    demoOnLan: v.DEMO_ON_LAN === 'on',
    siteName: v.SITE_NAME ?? 'Unidade 1',
    plants: plantsOf(v.PLANTS ?? '010101=Unidade 1,020101=Unidade 2'),
    timeZone: v.TIME_ZONE ?? 'America/Sao_Paulo',
    shifts: listOf(v.SHIFTS ?? '06:00,14:00,22:00'),
    authBasicPassword: (v.AUTH_BASIC_PASSWORD ?? (mode === 'plant' ? 'off' : 'on')) === 'on',
    allowPlainHttp: v.ALLOW_PLAIN_HTTP === 'on',
    trustedProxies: listOf(v.TRUSTED_PROXIES ?? ''),
    idleMinutes: v.IDLE_MINUTES ?? 0,
    metricsToken: v.METRICS_TOKEN ?? null,
    operatorRetentionMonths: v.OPERATOR_RETENTION_MONTHS ?? 84,
    logLevel: v.LOG_LEVEL ?? 'info',
    logFormat: v.LOG_FORMAT ?? (isJournal(env.JOURNAL_STREAM) ? 'journal' : 'json'),
  }
}
