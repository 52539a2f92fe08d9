import type * as z from 'zod/mini'
import type { Endpoint, Topic } from '../../../contract/endpoint.ts'
import { ApiError, Unreachable } from '../../server/api.ts'
import type { Reading } from '../../server/query.ts'

/** Two names that belong together, such as a terminal and the mini applicator that crimps it. */
export type PairForm<Field extends string> = Record<Field, string>

export type Pair<Field extends string> = PairForm<Field> & {
  id: number
  createdAt: string
  updatedAt: string
  version: number
}

export type PairField<Field extends string> = { name: Field; label: string; placeholder: string }

/** All that tells one management screen from the other. */
export type Management<Field extends string> = {
  topic: Topic
  title: string
  subtitle: string
  fields: readonly [PairField<Field>, PairField<Field>]
  schema: z.ZodMiniType<PairForm<Field>>
  /** Answers invalidated by a change. */
  changes: readonly Endpoint[]
  calls: {
    list: Reading<Pair<Field>[]>
    get: (id: number) => Promise<Pair<Field>>
    create: (form: PairForm<Field>) => Promise<Pair<Field>>
    update: (seen: Pair<Field>, form: PairForm<Field>) => Promise<Pair<Field>>
    delete: (seen: Pair<Field>) => Promise<unknown>
  }
  texts: {
    /** Names the table. */
    list: string
    loading: string
    empty: string
    createTitle: string
    editTitle: string
    created: string
    updated: string
    deleted: string
    loadFailed: string
    createFailed: string
    updateFailed: string
    deleteFailed: string
    deleteQuestion: (pairText: string) => string
    /** Consequences that renaming or deleting a pair does not have. */
    editNote?: string
    deleteNote?: string
  }
}

/** A press: a new pair, another name for one, or its end. */
export type PairAct<Field extends string> =
  | { act: 'edit'; pair: Pair<Field> | null }
  | { act: 'delete'; pair: Pair<Field> }

export const pairText = <Field extends string>({ fields }: Management<Field>, pair: PairForm<Field>): string =>
  fields.map(({ name }) => pair[name]).join(' - ')

/** The names alone, without the blanks around them: as the server keeps them. */
export const namesOf = <Field extends string>({ fields }: Management<Field>, pair: PairForm<Field>): PairForm<Field> =>
  Object.fromEntries(fields.map(({ name }) => [name, pair[name].trim()])) as PairForm<Field>

export const folded = (text: string): string => text.trim().toLocaleLowerCase('pt-BR')

const isRefusal = (error: unknown, code: string): error is ApiError => error instanceof ApiError && error.code === code

export const isGone = (error: unknown): boolean => isRefusal(error, 'not_found')
export const isDuplicate = (error: unknown): boolean => isRefusal(error, 'pair_exists')

/** Problem shown beside the form or question; any other one is a toast. */
export function problemText(error: Error | null, isChanged: boolean): string | null {
  if (isGone(error)) return 'Este registro foi excluído por outra pessoa.'
  return error && (isChanged || isDuplicate(error) || error instanceof Unreachable) ? error.message : null
}

/** The server's own words where it had any, else what did not work. */
export const failureOf = (error: unknown, fallback: string): { text: string; code?: string } =>
  error instanceof ApiError && !error.code.startsWith('http_')
    ? { text: error.message, code: error.code }
    : { text: fallback }
