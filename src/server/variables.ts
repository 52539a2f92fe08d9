import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { plantsOf } from '../domain/plant/plants.ts'
import { isGroupRoleList } from './directory/settings.ts'

const demoErpProfiles = ['clean', 'realistic', 'dirty', 'hostile'] as const
export const modes = ['plant', 'demonstration'] as const
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

/** Checks the parts of an address: a fault there would otherwise come out as a stack trace, password included. */
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

export const listOf = (text: string) =>
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

/** Checks the address of a mail server; misspelt parameters would leave a password in clear. */
const isSmtpUrl = (url: string) => {
  try {
    const { protocol, username, password, hostname, pathname, search } = new URL(url)
    const isWhole = [username, password].every((part) => decodeURIComponent(part) !== '' || part === '')
    return /^smtps?:$/.test(protocol) && hostname !== '' && isWhole && /^\/?$/.test(pathname) && search === ''
  } catch {
    return false
  }
}

export const isMailAddress = (address: string) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address)

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
export const variables = {
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
  LDAP_URL: [
    z.string().check(z.regex(/^ldaps?:\/\/[^\s/?#@]+\/?$/)),
    'ldaps://servidor, ou ldap://servidor para StartTLS, com :porta se não é a usual',
  ],
  LDAP_BASE: [z.string().check(z.regex(/=/)), 'onde as pessoas estão, por exemplo OU=Pessoas,DC=fabrica,DC=local'],
  LDAP_USER: [z.string().check(z.minLength(1)), 'o nome completo (DN) da conta de serviço, ou painel@fabrica.local'],
  LDAP_PASSWORD: [z.string(), 'a senha da conta de serviço'],
  LDAP_PASSWORD_FILE: [z.string().check(z.minLength(1)), 'o caminho de um arquivo só com a senha da conta de serviço'],
  LDAP_GROUPS: [
    z.string().check(z.refine(isGroupRoleList)),
    'perfil=grupo separados por ponto e vírgula, por exemplo admin=CN=Painel-Admin,DC=fabrica,DC=local;operador=CN=Painel,DC=fabrica,DC=local',
  ],
  LDAP_LOGIN_ATTRIBUTE: [z.string().check(z.regex(/^[A-Za-z][\w-]*$/)), 'o atributo com que se entra, por exemplo uid'],
  LDAP_FILTER: [
    z.string().check(z.regex(/^\(.+\)$/)),
    'um filtro LDAP entre parênteses, por exemplo (objectClass=person)',
  ],
  LDAP_CA_FILE: [z.string().check(z.minLength(1)), 'o caminho do certificado de quem assinou o do diretório, em PEM'],
  LDAP_ALLOW_PLAIN: [onOff, 'on ou off'],
  IDLE_MINUTES: [wholeNumber(0, 1440), 'um número de minutos até 1440; 0 é nunca'],
  METRICS_TOKEN: [
    z.string().check(z.regex(/^[\w.~+/=-]{16,}$/)),
    'pelo menos 16 letras e algarismos, por exemplo o que openssl rand -hex 24 escreve',
  ],
  PUBLIC_URL: [
    // every address of the page begins at the root
    z.string().check(z.regex(/^https?:\/\/[^\s?#/@]+\/?$/), z.refine(URL.canParse)),
    'o endereço em que os tablets abrem o painel, sem caminho depois do nome, por exemplo https://painel.fabrica.local',
  ],
  ALARM_WEBHOOK_URL: [
    z.string().check(z.regex(/^https?:\/\/\S+$/), z.refine(URL.canParse)),
    'o endereço que recebe os avisos em JSON, por exemplo https://avisos.fabrica.local/painel',
  ],
  ALARM_WEBHOOK_TOKEN: [
    z.string().check(z.regex(/^[\x21-\x7e]+$/)),
    'a senha do endereço dos avisos, sem espaços nem acentos',
  ],
  ALARM_MAIL_TO: [
    z.string().check(z.refine((list) => listOf(list).length > 0 && listOf(list).every(isMailAddress))),
    'endereços de e-mail separados por vírgula',
  ],
  ALARM_MAIL_FROM: [z.string().check(z.refine(isMailAddress)), 'um endereço de e-mail'],
  SMTP_URL: [
    z.string().check(z.refine(isSmtpUrl)),
    'smtp://usuario:senha@servidor:587 ou smtps://usuario:senha@servidor:465 (com # % / ? @ da senha escritos como %23 %25 %2F %3F %40)',
  ],
  OPERATOR_RETENTION_MONTHS: [wholeNumber(24, 1200), 'um número de meses de 24 a 1200'],
  LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'fatal, error, warn, info, debug, trace ou silent',
  ],
  LOG_FORMAT: [z.enum(['journal', 'json']), 'journal ou json'],
} as const

export const isVariable = (name: string): boolean => Object.hasOwn(variables, name)

/** As other products call what a variable here says. None of them is one that a shell or a container sets by itself. */
const foreignWords: Partial<Record<keyof typeof variables, string>> = {
  HOST: 'BIND_ADDRESS BIND_HOST LISTEN_ADDRESS LISTEN_HOST',
  PORT: 'APP_PORT HTTP_PORT LISTEN_PORT SERVER_PORT',
  DATA_DIR: 'DATA_FOLDER DATA_PATH STORAGE_DIR STORAGE_PATH',
  BACKUP_DIR: 'BACKUP_FOLDER BACKUP_LOCATION BACKUP_PATH BACKUPS_FOLDER BACKUPS_PATH',
  DOCUMENTS_DIR: 'DOCS_DIR DOCS_PATH DOCUMENTS_FOLDER DOCUMENTS_PATH UPLOAD_DIR UPLOAD_PATH UPLOADS_DIR UPLOADS_PATH',
  DATABASE_URL:
    'DATABASE_HOST DATABASE_URI DB_CONNECTION DB_DATABASE DB_HOST DB_PASSWORD DB_URI DB_URL MARIADB_HOST MARIADB_URI MARIADB_URL MYSQL_HOST MYSQL_URI MYSQL_URL SQLITE_FILE SQLITE_PATH SQLITE_URL',
  ERP_URL: 'ERP_API_URL ERP_BASE_URL ERP_HOST PROTHEUS_HOST PROTHEUS_REST_URL PROTHEUS_URL TOTVS_URL',
  ERP_USER: 'ERP_LOGIN ERP_USERNAME PROTHEUS_USER PROTHEUS_USERNAME TOTVS_USER',
  ERP_PASSWORD: 'ERP_PASS ERP_SECRET PROTHEUS_PASS PROTHEUS_PASSWORD TOTVS_PASSWORD',
  LDAP_URL: 'AD_URL LDAP_HOST LDAP_SERVER LDAP_URI',
  LDAP_BASE: 'LDAP_BASE_DN LDAP_SEARCH_BASE LDAP_USER_BASE',
  LDAP_USER: 'LDAP_BIND_DN LDAP_BIND_USER LDAP_USERNAME',
  LDAP_PASSWORD: 'LDAP_BIND_CREDENTIALS LDAP_BIND_PASSWORD LDAP_PASS',
  LDAP_FILTER: 'LDAP_SEARCH_FILTER LDAP_USER_FILTER',
  TRUSTED_PROXIES: 'TRUST_PROXY TRUSTED_PROXY_IPS',
  PUBLIC_URL: 'APP_URL EXTERNAL_URL PUBLIC_ADDRESS PUBLIC_HOST ROOT_URL SITE_URL',
  ALARM_WEBHOOK_URL: 'ALERT_WEBHOOK_URL SLACK_WEBHOOK_URL TEAMS_WEBHOOK_URL WEBHOOK_URL',
  ALARM_MAIL_TO: 'ALERT_EMAIL ALERT_MAIL_TO EMAIL_TO MAIL_TO SMTP_TO',
  ALARM_MAIL_FROM: 'EMAIL_FROM MAIL_FROM SMTP_FROM',
  SMTP_URL:
    'EMAIL_HOST MAIL_HOST MAIL_SERVER MAIL_URL SMTP_HOST SMTP_PASS SMTP_PASSWORD SMTP_PORT SMTP_SERVER SMTP_USER SMTP_USERNAME',
}

/** Ours by the word of another product. */
export const foreignNames: Readonly<Record<string, keyof typeof variables>> = Object.fromEntries(
  Object.entries(foreignWords).flatMap(([ours, words]) =>
    words.split(' ').map((word) => [word, ours as keyof typeof variables]),
  ),
)

export type Variables = { [K in keyof typeof variables]?: z.output<(typeof variables)[K][0]> }
