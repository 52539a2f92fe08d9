import type { PageSecret, PageVariable } from '../../../../contract/installation-settings.ts'

/** Variables that are set together, in the order of a first start. */
export const parts = [
  { key: 'fabrica', title: 'Fábrica', names: ['SITE_NAME', 'PLANTS', 'TIME_ZONE', 'SHIFTS'] },
  {
    key: 'erp',
    title: 'ERP',
    names: ['ERP_URL', 'ERP_USER', 'ERP_PASSWORD', 'ERP_COMPANY', 'ERP_LOOKUP', 'ERP_MAX_CONCURRENT'],
  },
  {
    key: 'avisos',
    title: 'Avisos',
    names: ['ALARM_MAIL_TO', 'ALARM_MAIL_FROM', 'SMTP_URL', 'ALARM_WEBHOOK_URL', 'ALARM_WEBHOOK_TOKEN'],
  },
] as const satisfies readonly { key: string; title: string; names: readonly PageVariable[] }[]

export type Part = (typeof parts)[number]

/** As a person reads each: what it is, and what belongs there. */
export const fieldTexts: Record<PageVariable, { label: string; description?: string }> = {
  SITE_NAME: { label: 'Nome da unidade', description: 'Aparece no título das páginas.' },
  PLANTS: { label: 'Filiais', description: 'Uma por linha, código do Protheus e nome: 010101=Unidade 1' },
  TIME_ZONE: { label: 'Fuso horário' },
  SHIFTS: { label: 'Início dos turnos', description: 'Horas separadas por vírgula: 06:00,14:00,22:00' },
  ERP_URL: {
    label: 'Endereço do ERP',
    description: 'Até /rest: http://erp:8080/rest. Um endereço novo pede também a senha.',
  },
  ERP_USER: { label: 'Usuário do ERP' },
  ERP_PASSWORD: { label: 'Senha do ERP' },
  ERP_COMPANY: { label: 'Grupo de empresas', description: 'Vai na frente da filial: 01' },
  ERP_LOOKUP: { label: 'O ERP acha um apontamento' },
  ERP_MAX_CONCURRENT: { label: 'Chamadas ao mesmo tempo', description: 'De 1 a 64, conforme as licenças do ERP.' },
  ALARM_MAIL_TO: { label: 'E-mails que recebem avisos', description: 'Separados por vírgula; vazio desliga.' },
  ALARM_MAIL_FROM: { label: 'Remetente dos avisos' },
  SMTP_URL: { label: 'Servidor de e-mail (smtp://usuario:senha@servidor:587)' },
  ALARM_WEBHOOK_URL: { label: 'Endereço do webhook (https://...)' },
  ALARM_WEBHOOK_TOKEN: { label: 'Senha do webhook' },
}

/** Shown where a secret is not set, with the value in force instead. */
export const absentTexts: Record<PageSecret, string> = {
  ERP_PASSWORD: 'Falta',
  SMTP_URL: 'Nenhum: o desta máquina, porta 25',
  ALARM_WEBHOOK_URL: 'Nenhum: desligado',
  ALARM_WEBHOOK_TOKEN: 'Nenhuma',
}

/** Where another address than the one that a secret opens is typed. */
export const newAddressTexts: Partial<Record<PageSecret, string>> = {
  ERP_PASSWORD: 'Endereço novo: escreva a senha, também se é a mesma.',
  ALARM_WEBHOOK_TOKEN: 'Endereço novo: escreva a senha, também se é a mesma; vazia, a guardada se apaga.',
}

export const lookupTexts: Record<string, string> = {
  id: 'pelo identificador do painel',
  none: 'só pela quantidade',
}
