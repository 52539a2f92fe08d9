import * as z from 'zod/mini'
import { BranchCode, ItemBarcode, text } from './values.ts'

/** The end of a wire, or a junction. */
export const MeasuredPart = z.enum(['l1', 'l2', 'juncao'])

/** The place of something done to a part of an item or to a junction, beside the part itself. */
export const placeFields = {
  filial: BranchCode,
  /** Names an item; without it there is a `posicao`. */
  codigoBarras: z.optional(ItemBarcode),
  posicao: z.optional(text(20)),
  ordem: text(20),
}

type Context<Value> = { value: Value; issues: z.core.$ZodRawIssue[] }
type Place = { codigoBarras?: string | undefined; posicao?: string | undefined }

const requireField = ({ issues }: Context<unknown>, field: string): void => {
  issues.push({ code: 'custom', input: undefined, path: [field], message: 'Campo obrigatório' })
}

/** A junction has a position, any other part is of an item. */
export const requirePlace = (ctx: Context<Place & { parte: string }>): void => {
  const field = ctx.value.parte === 'juncao' ? 'posicao' : 'codigoBarras'
  if (ctx.value[field] === undefined) requireField(ctx, field)
}

/** An item, or a position of an order. */
export const PlaceQuery = z
  .strictObject({
    filial: BranchCode,
    /** Names an item; without it there are an order and a position. */
    codigoBarras: z.optional(ItemBarcode),
    ordem: z.optional(text(20)),
    posicao: z.optional(text(20)),
  })
  .check((ctx) => {
    const { codigoBarras, ordem, posicao } = ctx.value
    if (codigoBarras !== undefined || (ordem !== undefined && posicao !== undefined)) return
    requireField(ctx, ordem === undefined ? 'codigoBarras' : 'posicao')
  })
