import type { LimitReason, LimitReasonCode } from '../../contract/recordings.ts'
import { saysSomething } from '../../contract/values.ts'
import { countText, readNumber } from '../text/numbers.ts'
import { heightText } from './recording-form.ts'

/** A limit in the words of its field, and what is wrong with what was typed. */
export type FieldLimit = { text: string; wrong: string | undefined }

/** Further from the nominal height than this the comma is probably in the wrong place. */
const HEIGHT_SHARE_MAX = 0.2

export const givenLimit = (limit: number | null): number | null => (limit !== null && limit > 0 ? limit : null)
const forceText = (force: number, unit: string) => [countText(force), unit].filter(Boolean).join(' ')

export function forceLimit(typed: string, forceMin: number | null, unit: string): FieldLimit | undefined {
  const min = givenLimit(forceMin)
  if (min === null) return undefined
  const wrong = readNumber(typed) < min ? `Abaixo do mínimo de ${forceText(min, unit)}` : undefined
  return { text: `mín. ${forceText(min, unit)}`, wrong }
}

export function heightLimit(typed: string, heightMm: number | null): FieldLimit | undefined {
  const nominal = givenLimit(heightMm)
  if (nominal === null) return undefined
  const text = `nominal ${heightText(nominal)} mm`
  const isFar = Math.abs(readNumber(typed) - nominal) > HEIGHT_SHARE_MAX * nominal + 1e-9
  return { text, wrong: isFar ? `Confira a vírgula (${text})` : undefined }
}

export const limitReasonTexts: Record<LimitReasonCode, string> = {
  amostra: 'Peça de ajuste ou amostra',
  liberado: 'Liberado pela Qualidade',
  instrumento: 'Instrumento em dúvida',
  outro: 'Outro motivo',
}

/** 'Liberado pela Qualidade: desvio 12/26' */
export const limitReasonText = ({ motivo, texto }: LimitReason): string =>
  [limitReasonTexts[motivo], texto.trim()].filter(Boolean).join(': ')

/** Objection to a reason that is not complete, in the words shown; null: it is. */
export function limitReasonRefusal(motivo: LimitReasonCode | '', texto: string): string | null {
  if (motivo === '') return 'Escolha o motivo'
  return motivo === 'outro' && !saysSomething(texto) ? 'Descreva o motivo' : null
}
