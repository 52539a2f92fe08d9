import type { Characteristic } from '../../contract/measurements.ts'
import type { CapabilityNaming } from '../../contract/settings.ts'
import type { SeriesCause, SeriesKey, SignalCause, SignalRule } from '../../contract/spc.ts'
import { milliText } from '../quality/control-plans.ts'

export const characteristicTexts: Record<Characteristic, string> = {
  altura: 'Altura',
  forca: 'Força',
  largura: 'Largura',
  'altura-isolante': 'Altura do isolante',
}

export const causeTexts: Record<SignalCause, string> = {
  fio: 'Fio: fornecedor ou encordoamento',
  isolacao: 'Isolação',
  'ferramenta-gasta': 'Ferramenta gasta',
  ajuste: 'Ajuste da altura',
  prensa: 'Prensa',
  'lote-do-terminal': 'Lote do terminal',
  medicao: 'Medição',
  'fios-cortados': 'Fios cortados',
  outra: 'Outra',
}

/** 'Ferramenta gasta: crimpador trocado (Rita Melo, qualidade, 12/11/2026 14:05)' */
export const causeText = (
  { causa, nota, por, em, qualidade }: SeriesCause,
  momentText: (instant: string) => string,
): string => {
  const who = [por, qualidade && 'qualidade', momentText(em)].filter(Boolean).join(', ')
  return `${[causeTexts[causa], nota].filter(Boolean).join(': ')} (${who})`
}

export const ruleTexts: Record<SignalRule, string> = {
  R1: 'além do limite',
  R2: '9 seguidos do mesmo lado',
  R3: '2 de 3 perto do limite',
}

/** An auditor asks whether who measured a sample took it out. */
export const OWN_TAKEN_OUT = 'Tirada das contas por quem mediu'

/** Unit of a characteristic: the plant names that of a force, or none. */
export const unitOf = (characteristic: Characteristic, forceUnit: string): string =>
  characteristic === 'forca' ? forceUnit : 'mm'

/** 'MA-0001 · T1326030 · 0,50 mm² · Altura' */
export const seriesText = ({ miniaplicador, terminal, bitola, caracteristica }: SeriesKey): string =>
  [miniaplicador, terminal, `${milliText(bitola)} mm²`, characteristicTexts[caracteristica]].join(' · ')

/** Within samples first, then of all readings. */
export const namingTexts: Record<CapabilityNaming, string> = {
  'aiag-2005': 'AIAG 2005: Cp/Cpk e Pp/Ppk',
  'aiag-vda-2026': 'AIAG & VDA 2026: Cw/Cwk e Cp/Cpk',
}

/** 'altura', 'altura e força', 'altura, força e largura' */
export function characteristicsText(some: readonly Characteristic[]): string {
  const texts = some.map((one) => characteristicTexts[one].toLowerCase())
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(' e ')
}
