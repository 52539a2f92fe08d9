import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { containmentFiles, type SuspectRecording } from '../../../contract/containments.ts'
import type { Characteristic } from '../../../contract/measurements.ts'
import { newId } from '../../acts/send.ts'
import { serverNow } from '../../device/clock.ts'
import { useKnowsContainments } from '../../parts/containments/contained.ts'
import { useSettings } from '../../parts/settings.ts'
import { ApiError, errorText, Unreachable } from '../../server/api.ts'
import { formatInstant, formatRecentInstant } from '../../text/format.ts'

const yearOf = (day: string) => day.slice(6, 10)

/** Instants and values of a window as it is worded: of another year with the year. */
export function useWritten(characteristic: Characteristic | null) {
  const { timeZone, forceUnit } = useSettings()
  const now = formatInstant(new Date(serverNow()).toISOString(), timeZone)
  const time = (instant: string) => {
    const whole = formatInstant(instant, timeZone)
    return yearOf(whole) === yearOf(now) ? formatRecentInstant(instant, timeZone) : whole
  }
  return { characteristic, forceUnit, time }
}

/** Id or number in the address; 'nova' is none yet. */
export const useNamed = (): string => useParams({ strict: false, select: ({ id = '' }: { id?: string }) => id })

/** One key for each content: the same content once more, after no answer, is the same press. */
export function usePressKey(): (content: object) => string {
  const last = useRef({ content: '', id: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.content !== text) last.current = { content: text, id: newId() }
    return last.current.id
  }
}

const NO_NETWORK = 'Sem rede: abra a contenção quando ela voltar.'

/** One of the version before says of each that there is none. */
const OLDER_SERVER = 'O servidor ainda não conhece contenções. Tente depois da atualização.'

export const failureOf = (error: Error): string => (error instanceof Unreachable ? NO_NETWORK : errorText(error))

/** Why a reading failed; `notFound`: what a server says that knows containments, but not this one. */
export function useFailureOf(notFound?: string): (error: Error) => string {
  const isKnown = useKnowsContainments()
  return (error) => {
    if (!isNotFound(error)) return failureOf(error)
    return isKnown ? (notFound ?? failureOf(error)) : OLDER_SERVER
  }
}

const isNotFound = (error: Error) => error instanceof ApiError && error.code === 'not_found'

type Sorted = Pick<SuspectRecording, 'ordem' | 'item' | 'posicao' | 'registradoEm' | 'apontamento'>

const sortKey = ({ ordem, item, posicao, registradoEm, apontamento }: Sorted) =>
  [ordem, item, posicao, registradoEm, apontamento].join('\n')

/** Rows of one item or junction stand together, in the order in which they were made. */
export const byItem = <One extends Sorted>(rows: readonly One[]): One[] =>
  rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))

/** Address of the labels: of all rows, or of one. */
export const labelsHref = (id: string, copies: number, row?: number): string =>
  `${containmentFiles.labels.path.replace(':id', id)}?${new URLSearchParams({
    copias: String(copies),
    ...(row === undefined ? {} : { linha: String(row) }),
  })}`
