import type { CutItem, Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import type { TraceLine } from '../../contract/traces.ts'
import { machineIdIn } from '../forms/recording-form.ts'
import { occasionTexts } from '../quality/measuring.ts'
import { isOutsidePlan, type MomentText, measuredIn, millimetresText, usedIn } from '../reports/traces.ts'
import { countText } from '../text/numbers.ts'
import { lotOf, sectionOf } from './recordings.ts'

/** A recording as the line of a finished part tells it. */
export type PartRecording = Pick<
  TraceLine,
  | 'id'
  | 'registradoEm'
  | 'lote'
  | 'miniaplicador'
  | 'maquina'
  | 'operador'
  | 'forca'
  | 'forcaMedida'
  | 'alturaMm'
  | 'alturaMedida'
  | 'medicoes'
  | 'faltouMedir'
> & {
  /** Until the server says so: it names a sample that this device has found outside. */
  isOutside?: boolean
}

type Frozen = { id: string; part: Part; payload: CutCrimpRecording; frozenAt: string }

/** As the trace will have it, of what only the device that recorded it knows; `outside`: acts of samples outside. */
export function partRecordingOf({ id, part, payload, frozenAt }: Frozen, outside: readonly string[]): PartRecording {
  const used = usedIn(part, payload)
  return {
    id,
    registradoEm: frozenAt,
    lote: lotOf(payload, part),
    maquina: payload.MAQUINA,
    operador: payload.OPERADOR ?? '',
    ...used,
    ...measuredIn(used, payload.captura ?? null),
    isOutside: payload.captura?.medicoes?.some((act) => outside.includes(act)) ?? false,
  }
}

/** Newest first: what the server has, and what this device has beside it. */
export const lastFirst = (server: readonly PartRecording[], here: readonly PartRecording[]): PartRecording[] =>
  [...here.filter(({ id }) => server.every((one) => one.id !== id)), ...server].toSorted((one, other) =>
    other.registradoEm.localeCompare(one.registradoEm),
  )

/** '120 de 120', pieces on their way included. */
export function piecesDoneText(item: CutItem, part: Part): string {
  const done = sectionOf(item, part).registered + item.aguardandoErp[part]
  return `${countText(done)} de ${countText(item.Z1_QUANT)}`
}

/** '70 N medido'; nothing where there is no value. */
function measureText(value: string, unit: string, isMeasured: boolean | null): string {
  const measured = isMeasured === null ? '' : isMeasured ? 'medido' : 'não medido'
  return value === '' ? '' : [value, unit, measured].filter(Boolean).join(' ')
}

/** Whether a part that is done was measured outside its plan. */
export const isDoneOutside = (recordings: readonly PartRecording[]): boolean =>
  recordings.some((one) => one.isOutside === true || isOutsidePlan(one))

/** 'primeira peça não medida', of the newest recording that lacks a measurement; empty: none does. */
export function unmeasuredText(recordings: readonly PartRecording[]): string {
  const occasion = recordings.find(({ faltouMedir }) => faltouMedir)?.faltouMedir
  if (!occasion) return ''
  const text = occasionTexts[occasion]
  return /peça$/.test(text) ? `${text} não medida` : `não medido: ${text}`
}

export const barcodesOf = (items: readonly CutItem[]): string[] => items.map((item) => item.Z1_CODBAR)

/** Ends of items that these recordings made outside their plan, by barcode; `outside`: acts of samples outside. */
export function outsideEnds(
  recordings: readonly (Pick<Frozen, 'part' | 'payload'> & { barcode: string })[],
  outside: ReadonlySet<string>,
): Map<string, Part[]> {
  const ends = new Map<string, Part[]>()
  for (const { barcode, part, payload } of recordings) {
    const isOutside = payload.captura?.medicoes?.some((act) => outside.has(act))
    if (isOutside) ends.set(barcode, [...(ends.get(barcode) ?? []), part])
  }
  return ends
}

/** Items with the ends that were recorded outside their plan, which the ERP does not know. */
export const withOutside = (items: readonly CutItem[], ends: ReadonlyMap<string, Part[]>): CutItem[] =>
  items.map((item) => {
    const foraDoPlano = ends.get(item.Z1_CODBAR)
    return foraDoPlano ? { ...item, foraDoPlano } : item
  })

type Words = { forceUnit: string; momentText: MomentText }

/** With what a part was finished: of the last recording, and how many there are beside it. */
export function recordedTexts(recordings: readonly PartRecording[], { forceUnit, momentText }: Words): string[] {
  const [last] = recordings
  if (!last) return []
  return [
    last.lote && `lote ${last.lote}`,
    last.miniaplicador,
    machineIdIn(last.maquina),
    measureText(last.forca?.toLocaleString('pt-BR') ?? '', forceUnit, last.forcaMedida),
    measureText(millimetresText(last.alturaMm), 'mm', last.alturaMedida),
    [last.operador.trim(), momentText(last.registradoEm)].filter(Boolean).join(' '),
    recordings.length > 1 ? `+${recordings.length - 1}` : '',
  ].filter(Boolean)
}
