import {
  type PageSecret,
  type PageText,
  type PageVariable,
  pageSecretNames,
  pageVariables,
} from '../../../contract/installation-settings.ts'
import { roles } from '../../../contract/values.ts'
import type { Known } from '../../../domain/people/pseudonyms.ts'
import { findFault, type Texts } from '../../config.ts'
import type { Reader } from '../../store/db/db.ts'
import {
  findCapabilityNaming,
  findInstallation,
  findInstrumentMode,
  findLimitRoles,
  findPlanMode,
  findSetting,
  findStandIn,
  KEY_FINGERPRINT,
  KIND,
  SIGNING_KEY,
  type StoredInstallation,
} from '../../store/settings.ts'
import { isFixed, type Secrets, textsOfPage } from '../installation-settings.ts'

type VariableName = Parameters<typeof findFault>[0]

/**
 * The part of each variable that goes into the file beside that it is set: `shown` its value, `address` its scheme;
 * nothing of the rest. Values of `secret`, `account` and `path` are also taken out wherever else they stand.
 */
const kinds: Record<VariableName, 'shown' | 'address' | 'account' | 'path' | 'secret' | 'hidden'> = {
  MODE: 'shown',
  HOST: 'hidden',
  PORT: 'shown',
  DATA_DIR: 'path',
  BACKUP_DIR: 'path',
  DOCUMENTS_DIR: 'path',
  SECRET_KEY_FILE: 'path',
  DATABASE_URL: 'address',
  ERP_URL: 'address',
  ERP_USER: 'account',
  ERP_PASSWORD: 'secret',
  ERP_COMPANY: 'hidden',
  ERP_MAX_CONCURRENT: 'shown',
  ERP_LOOKUP: 'shown',
  ERP_CONFIG: 'path',
  DEMO_ERP_PROFILE: 'shown',
  DEMO_ERP_LOOKUP: 'shown',
  DEMO_ON_LAN: 'shown',
  SITE_NAME: 'hidden',
  PLANTS: 'hidden',
  TIME_ZONE: 'shown',
  SHIFTS: 'shown',
  AUTH_BASIC_PASSWORD: 'shown',
  ALLOW_PLAIN_HTTP: 'shown',
  TRUSTED_PROXIES: 'hidden',
  LDAP_URL: 'address',
  LDAP_BASE: 'secret',
  LDAP_USER: 'account',
  LDAP_PASSWORD: 'secret',
  LDAP_PASSWORD_FILE: 'path',
  LDAP_GROUPS: 'secret',
  LDAP_LOGIN_ATTRIBUTE: 'hidden',
  LDAP_FILTER: 'hidden',
  LDAP_CA_FILE: 'path',
  LDAP_ALLOW_PLAIN: 'shown',
  IDLE_MINUTES: 'shown',
  METRICS_TOKEN: 'secret',
  PUBLIC_URL: 'address',
  ALARM_WEBHOOK_URL: 'address',
  ALARM_WEBHOOK_TOKEN: 'secret',
  ALARM_MAIL_TO: 'hidden',
  ALARM_MAIL_FROM: 'hidden',
  SMTP_URL: 'address',
  OPERATOR_RETENTION_MONTHS: 'shown',
  LOG_LEVEL: 'shown',
  LOG_FORMAT: 'shown',
}
const names = Object.keys(kinds) as VariableName[]

/** The environment, and what the page has written into its two places. */
export type Sources = { env: Texts; stored: StoredInstallation; secrets: Secrets }

const isOfPage = (name: string): name is PageVariable => (pageVariables as readonly string[]).includes(name)
const isPageSecret = (name: PageText | PageSecret): name is PageSecret =>
  (pageSecretNames as readonly string[]).includes(name)

function sourceOf(name: VariableName, { env }: Sources, page: Texts): string {
  if (env[name] !== undefined) return 'ambiente'
  if (!isOfPage(name) || page[name] === undefined) return 'padrão'
  return isPageSecret(name) ? 'secrets.json' : 'tela'
}

/** A value that no start would take may be anything, such as a password in the wrong line. */
function shownValue(name: VariableName, text: string): string {
  if (findFault(name, text) !== null) return '(inválido)'
  if (kinds[name] === 'shown') return text
  return /^[a-z]+:/.exec(text)?.[0] ?? ''
}

const textsOf = ({ env, stored, secrets }: Sources): Texts => ({ ...textsOfPage(env, stored, secrets), ...env })

type SettingLine = { nome: string; origem: string; valor?: string }

/** Each variable: whether it is set and where; values of the harmless ones. */
export function listVariables(sources: Sources): SettingLine[] {
  const texts = textsOf(sources)
  return names.map((name) => {
    const text = texts[name]
    const origem = sourceOf(name, sources, texts)
    if (text === undefined) {
      const isLeftOut = isOfPage(name) && isFixed(name, sources.env)
      return { nome: name, origem: isLeftOut ? 'fixado pelo ambiente, vazio' : origem }
    }
    const isShown = kinds[name] === 'shown' || kinds[name] === 'address'
    return { nome: name, origem, ...(isShown ? { valor: shownValue(name, text) } : {}) }
  })
}

/** A text as it is written and as it is meant: in an address `%40` stands for `@`. */
function decoded(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)]
  } catch {
    return [text]
  }
}

/** A shorter one is a word that the panel's own sentences have too. */
const PATH_LENGTH_MIN = 8

function partsOf(address: string): { host: string; user: string[]; secrets: string[] } | null {
  if (!URL.canParse(address)) return null
  const { username, password, hostname, pathname, search } = new URL(address)
  const paths = [pathname.slice(1), search.slice(1)].filter(({ length }) => length >= PATH_LENGTH_MIN)
  return { host: hostname, user: decoded(username), secrets: [password, ...paths].flatMap(decoded) }
}

/**
 * Values that must stand nowhere in the file: those of settings, whoever has set them, also secrets that wait for their
 * address.
 */
export function knownOfSettings(sources: Sources): Known {
  const { stored, secrets } = sources
  const { next, ...present } = secrets
  const texts = textsOf(sources)
  const given = names.flatMap((name) => [texts[name], stored.values[name]].map((text) => ({ kind: kinds[name], text })))
  const of = (wanted: string) =>
    given.flatMap(({ kind, text }) => (text !== undefined && kind === wanted ? [text] : []))
  const written = [present, next?.set ?? {}].flatMap((set) => Object.values(set))
  const waiting = written.flatMap(({ value, address }) => [value, address ?? ''])
  const parts = [...of('address'), ...waiting].flatMap((address) => partsOf(address) ?? [])
  return {
    people: [...of('account'), ...parts.flatMap(({ user }) => user)].map((account) => [account]),
    addresses: parts.map(({ host }) => host),
    secrets: [...of('secret'), ...waiting, ...parts.flatMap((part) => part.secrets)],
    paths: of('path'),
  }
}

/** Rows of settings that say how the panel works. */
export async function readSettingRows(db: Reader): Promise<Record<string, unknown>> {
  const chosen = (await findLimitRoles(db)) ?? []
  const percent = await findSetting(db, 'limit-warning-percent')
  const kind = await findSetting(db, KIND)
  return {
    feitoPara: ['plant', 'demonstration'].find((mode) => mode === kind) ?? null,
    erpDeEnsaio: await findStandIn(db),
    versaoDaInstalacao: Number((await findInstallation(db)).version),
    chaveNoBanco: (await findSetting(db, SIGNING_KEY)) !== null,
    chaveEmArquivo: (await findSetting(db, KEY_FINGERPRINT)) !== null,
    foraDoPlano: await findPlanMode(db),
    instrumentos: await findInstrumentMode(db),
    nomesDosIndices: await findCapabilityNaming(db),
    avisoAntesDoLimite: percent === null ? null : Number(percent),
    zeramEMudamLimites: roles.filter((role) => chosen.includes(role)),
  }
}
