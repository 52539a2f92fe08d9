import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The variables that an administrator may set in the page, and what holds where nobody has said anything. */
export const pageDefaults = {
  SITE_NAME: 'Unidade 1',
  PLANTS: '010101=Unidade 1,020101=Unidade 2',
  TIME_ZONE: 'America/Sao_Paulo',
  SHIFTS: '06:00,14:00,22:00',
  ERP_URL: '',
  ERP_USER: '',
  ERP_COMPANY: '01',
  ERP_LOOKUP: 'id',
  ERP_MAX_CONCURRENT: '2',
  ALARM_MAIL_TO: '',
  ALARM_MAIL_FROM: '',
} as const

/** The secrets that the page may write and never reads, each with the address that it opens; null: it is an address itself. */
export const pageSecrets = {
  ERP_PASSWORD: 'ERP_URL',
  SMTP_URL: null,
  ALARM_WEBHOOK_URL: null,
  ALARM_WEBHOOK_TOKEN: 'ALARM_WEBHOOK_URL',
} as const

export type PageText = keyof typeof pageDefaults
export type PageSecret = keyof typeof pageSecrets
export type PageVariable = PageText | PageSecret

export const pageTexts = Object.keys(pageDefaults) as PageText[]
export const pageSecretNames = Object.keys(pageSecrets) as PageSecret[]
export const pageVariables: readonly PageVariable[] = [...pageTexts, ...pageSecretNames]

export const PAGE_TEXT_LENGTH_MAX = 2000

const Text = z.optional(z.nullable(z.string().check(z.maxLength(PAGE_TEXT_LENGTH_MAX))))

const Variable = z.strictObject({
  name: z.string(),
  /** As it holds now, or would after the next start; null: a secret, which is never shown. */
  value: z.nullable(z.string()),
  /** A value set by the environment cannot be changed by the page. */
  source: z.enum(['environment', 'page', 'default']),
  isSet: z.boolean(),
})

export const InstallationSettings = z.strictObject({
  /** Version of the values set by the page. */
  version: z.int(),
  /** The version that this server works with: it puts itself together anew until both are equal. */
  runningVersion: z.int(),
  /** Its ERP is its own and cannot be changed. */
  isDemonstration: z.boolean(),
  variables: z.array(Variable),
})
export type InstallationSettings = z.infer<typeof InstallationSettings>

export const installationSettings = {
  get: endpoint({
    path: '/api/instalacao',
    summary: 'O que se define desta instalação na tela: unidade, filiais, fuso, turnos, ERP e avisos, sem as senhas',
    access: 'administer',
    reply: InstallationSettings,
    live: ['settings'],
  }),
  /** A name left out stays as it is; null removes the value that the page had set. */
  change: endpoint({
    method: 'PUT',
    path: '/api/instalacao',
    summary: 'Define a instalação; o servidor se refaz com ela em instantes. Senhas só se escrevem',
    access: 'administer',
    confirmed: true,
    versioned: true,
    body: z.strictObject({
      values: z.strictObject(
        Object.fromEntries(pageVariables.map((name) => [name, Text])) as Record<PageVariable, typeof Text>,
      ),
      /** Another address of the same ERP: what is on its way may be asked about there. */
      isSameErp: z.optional(z.boolean()),
    }),
    reply: z.extend(InstallationSettings, {
      /** Secrets that were for the address before, where none came with the new one. Left out by a server of the version before. */
      dropped: z.optional(z.array(z.enum(pageSecretNames))),
    }),
    refusals: ['changed_meanwhile', 'erp_unsettled', 'several_servers'],
  }),
}
