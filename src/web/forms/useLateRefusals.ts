import { useEffect, useEffectEvent, useRef } from 'react'
import { fieldInWords } from '../../domain/forms/form-fields.ts'
import type { PlaceOf, WorkAct } from '../acts/act.ts'
import { type FrozenAct, isOf } from '../acts/kinds.ts'
import { ownRefusals } from '../acts/own-refusals.ts'

/** Refused after its author had seen it as saved, and still to be put right. */
export type LateRefusal<Form> = {
  id: string
  reason: string
  /** As it was registered. */
  form: Form
  pieces: number
}

export type LateRefusals<Forms> = { [S in keyof Forms]?: LateRefusal<Forms[S]> }

/** By part of the form; of several of one part the newest: once that is put right, the one before it. */
export function useLateRefusals<Forms extends { [S in keyof Forms]: object }, F extends FrozenAct, Pressed>(
  kind: WorkAct<F, Pressed>,
  place: Partial<PlaceOf<F>>,
): LateRefusals<Forms> {
  const found: LateRefusals<Forms> = {}
  for (const { id, motivo, podeCorrigir, apontamento: payload } of ownRefusals.use()) {
    const of = kind.placeOf(payload as F['payload'])
    const act = { ...of, payload } as unknown as F
    if (!podeCorrigir || !isOf(act, kind, place)) continue
    const section = kind.work.draft.sectionOf(of) as keyof Forms
    const form = kind.work.draft.formsOf(act)[section as string] as Forms[typeof section]
    found[section] = {
      id,
      form,
      pieces: kind.work.piecesIn(act.payload),
      reason: motivo ?? 'O ERP recusou o apontamento.',
    }
  }
  return found
}

type Said = { part: string; field: string | null; reason: string; lot: string }

/** Tells the form of each once, when its part is open. */
export function useSayLate<Part extends string>(
  late: LateRefusals<Record<Part, { lot: string }>>,
  isOpen: (part: Part) => boolean,
  say: (said: Said & { part: Part }) => void,
): void {
  const known = useRef(new Set<string>())
  const parts = Object.keys(late) as Part[]
  const tell = useEffectEvent(() => {
    for (const part of parts) {
      const refusal = late[part]
      if (!refusal || !isOpen(part) || known.current.has(refusal.id)) continue
      known.current.add(refusal.id)
      const { reason, form } = refusal
      say({ part, field: fieldInWords(reason), reason, lot: form.lot })
    }
  })
  const all = parts.map((part) => `${late[part]?.id} ${isOpen(part)}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once there is another one
  useEffect(() => tell(), [all])
}
