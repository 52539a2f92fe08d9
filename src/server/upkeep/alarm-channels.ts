import { setTimeout } from 'node:timers/promises'
import type { AlarmChannelName } from '../../contract/health.ts'
import { momentTextOf } from '../../domain/plant/plant-time.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../http/origin.ts'

/** As a webhook gets it, so in the plant's language. */
export type AlarmMessage = {
  painel: string
  alarme: string
  /** Servers, or parts of them, of which this is said: `painel1:3000 erp`. None where it is of the whole plant. */
  assuntos: string[]
  nome: string
  situacao: 'comecou' | 'terminou' | 'teste'
  texto: string
  desde: string
  em: string
  endereco: string | null
}

export type AlarmChannel = {
  channel: AlarmChannelName | 'log'
  /** Throws unless somebody has taken the message. */
  send(message: AlarmMessage): Promise<void>
}

const WAIT_MS = 10_000
/** Shorter than a call of a page, and than the lease of an alarm. */
const MAIL_MS_MAX = 25_000

/** In words, and without addresses or what a stranger has answered: both may hold secrets. */
class NotTaken extends Error {}

const faults: readonly [code: RegExp, sentence: string][] = [
  [/EAUTH/, 'O servidor de e-mail recusou o usuário ou a senha (SMTP_URL).'],
  [/EENVELOPE/, 'O servidor de e-mail recusou o remetente ou um destinatário (ALARM_MAIL_FROM, ALARM_MAIL_TO).'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'O nome do servidor não existe na rede.'],
  [/ECONNREFUSED/, 'Ninguém atende neste endereço e porta.'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/, 'O certificado do servidor não vale aqui (NODE_EXTRA_CA_CERTS).'],
  [/ETLS|EPROTO|SSL/, 'O servidor não oferece TLS.'],
  [/TIMEOUT|TimeoutError/i, 'Não respondeu a tempo.'],
  [/ECONN|ESOCKET|EHOSTUNREACH|ENETUNREACH|EPIPE/, 'Não foi possível conectar.'],
]

/** Codes of an error and of what caused it. A mail library writes its own over the system's, which its message still has. */
function codesOf(error: unknown): string {
  const { name = '', code = '', message = '', cause } = error as Error & { code?: unknown }
  const said = /\bE[A-Z_]{4,}\b|self.signed|certificate|altnames/i.exec(message)?.[0] ?? ''
  const own = `${name} ${String(code)} ${/self|certificate|altnames/i.test(said) ? 'CERT' : said}`
  return cause instanceof Error ? `${codesOf(cause)} ${own}` : own
}

export function failureText(error: unknown): string {
  if (error instanceof NotTaken) return error.message
  const codes = codesOf(error)
  return faults.find(([code]) => code.test(codes))?.[1] ?? 'O servidor não aceitou a mensagem.'
}

const openWebhook = ({ url, token }: NonNullable<Config['alarmWebhook']>): AlarmChannel => ({
  channel: 'webhook',
  async send(message) {
    // `text` is what chats show
    const text = `[${message.painel}] ${message.nome}: ${message.texto}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ ...message, text }),
      // what is sent would go to whoever the answer names
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new NotTaken(`Quem recebe respondeu HTTP ${answer.status}.`)
  },
})

const subjects = { comecou: 'Alarme', terminou: 'Fim', teste: 'Teste' } as const

const openMail = ({ smtpUrl, from, to }: NonNullable<Config['alarmMail']>, timeZone: string): AlarmChannel => ({
  channel: 'mail',
  async send({ painel, nome, situacao, texto, desde, endereco }) {
    const { createTransport } = await import('nodemailer')
    const { protocol, hostname, port, username, password } = new URL(smtpUrl)
    const secure = protocol === 'smtps:'
    const host = hostname.replace(/^\[|\]$/g, '')
    const isHere = isLoopback(host)
    const user = decodeURIComponent(username)
    const transport = createTransport({
      host,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      // the certificate of a mail server on this very machine is its own; a password never leaves the machine in clear
      ignoreTLS: isHere,
      requireTLS: user !== '' && !isHere,
      ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
      dnsTimeout: WAIT_MS,
      connectionTimeout: WAIT_MS,
      greetingTimeout: WAIT_MS,
      socketTimeout: WAIT_MS,
    })
    const lines = [texto, `Desde: ${momentTextOf(timeZone)(desde)}`, endereco].filter(Boolean)
    const late = new AbortController()
    // the limits above begin anew with each line of the server's
    const over = setTimeout(MAIL_MS_MAX, null, { signal: late.signal, ref: false }).then(() => {
      throw new NotTaken('O servidor de e-mail não terminou a tempo.')
    })
    try {
      const sent = transport.sendMail({
        from: { name: `Painel ${painel}`, address: from },
        to,
        subject: `[${painel}] ${subjects[situacao]}: ${nome}`,
        text: `${lines.join('\n')}\n`,
      })
      await Promise.race([sent, over])
    } finally {
      late.abort()
      over.catch(() => undefined)
      transport.close()
    }
  },
})

/** Channels that are set up. */
export const openChannels = ({ alarmWebhook, alarmMail, timeZone }: Config): AlarmChannel[] => [
  ...(alarmWebhook ? [openWebhook(alarmWebhook)] : []),
  ...(alarmMail ? [openMail(alarmMail, timeZone)] : []),
]

/** Where they go, without what opens them; null where one is off. */
export const channelTargets = ({ alarmWebhook, alarmMail }: Config): Record<AlarmChannelName, string | null> => ({
  webhook: alarmWebhook === null ? null : new URL(alarmWebhook.url).host,
  mail: alarmMail?.to.join(', ') ?? null,
})
