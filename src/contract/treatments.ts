import * as z from 'zod/mini'
import { BranchCode, Day, Instant, optionalLines, RowId, saysSomething, text } from './values.ts'

/** Subjects of a treatment: a recording's finding, or a sample outside its plan. */
const treatedKinds = ['apontamento', 'medicao'] as const
export type TreatedKind = (typeof treatedKinds)[number]

/** Nobody has said what was done, and nothing good was measured there since; either closes it. */
export const situations = ['aberta', 'tratada', 'medida'] as const
export type Situation = (typeof situations)[number]

export const OCCURRENCE_DAYS = 30
export const OCCURRENCES_PAGE = 100
export const TREATMENT_LENGTH_MAX = 500

/** Quality's note of what was done about it; lines are only added. */
export const Treatment = z.strictObject({ por: z.string(), em: Instant, texto: z.string() })
export type Treatment = z.infer<typeof Treatment>

export const TreatmentForm = z.strictObject({
  texto: optionalLines(TREATMENT_LENGTH_MAX).check(z.refine(saysSomething, 'Escreva o que foi feito')),
})

/** Both days belong to the period; without them the last 30. Without a plant: all of them. */
export const occurrenceFilter = {
  filial: z.optional(BranchCode),
  inicio: z.optional(Day),
  fim: z.optional(Day),
  situacao: z.optional(z.enum(situations)),
  /** Only those released by this person, by name. */
  liberadoPor: z.optional(text(255)),
}

export const Page = z.optional(RowId)

/** Totals of everything the filter finds, beside the page of it. */
export const occurrenceTotals = {
  inicio: Day,
  fim: Day,
  total: z.int(),
  /** Days without one are left out. */
  dias: z.array(
    z.strictObject({
      dia: Day,
      total: z.int(),
      /** How many there are of each kind; left out by a server of the version before. */
      tipos: z.optional(z.record(z.string(), z.int())),
    }),
  ),
  /** The people who released something in the period. */
  liberadores: z.array(z.string()),
}
