import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ContainmentForm,
  type ContainmentPreview,
  containments,
  type SubjectKind,
  subjectKinds,
} from '../../../../contract/containments.ts'
import { type Characteristic, characteristics } from '../../../../contract/measurements.ts'
import { useAddress } from '../../../parts/useAddress.ts'
import { usePlant } from '../../../parts/usePlant.ts'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import type { ChangedEnds } from '../WindowDialog.tsx'

type Named = { filial: string; tipo: SubjectKind; termo: string }
type Reading = { medicao: string; caracteristica: Characteristic }

/** As far as somebody has changed them. */
export type Ends = Partial<ChangedEnds>

/** Whose window is asked for: a reading outside, or what is named by hand. Null: the address names nothing. */
export type Subject = Reading | Named

/** The subject and its changed ends, in the address: a link shows what its sender saw. */
export function useSubject() {
  const { params, push } = useAddress()
  const { plant } = usePlant()
  const names = params.get('caracteristica')?.split(',') ?? []
  const measured = characteristics.filter((one) => names.includes(one))
  // several of one act may be outside: each has a window of its own
  const [chosen, choose] = useState<Characteristic | undefined>()
  const [medicao, termo] = [params.get('medicao'), params.get('termo')?.trim()]
  const tipo = subjectKinds.find((one) => one === params.get('tipo'))
  const caracteristica = measured.find((one) => one === chosen) ?? measured[0]
  const subject: Subject | null =
    medicao && caracteristica
      ? { medicao, caracteristica }
      : tipo && termo
        ? { filial: params.get('filial') ?? plant, tipo, termo }
        : null
  const ends: Ends = Object.fromEntries(
    (['inicio', 'fim', 'motivo'] as const).flatMap((name) => {
      const value = params.get(name)
      return value ? [[name, value]] : []
    }),
  )
  const changeEnds = (changed: ChangedEnds) => push(changed)
  return { subject, measured, choose, ends, changeEnds }
}

/** A machine is used all day: without both ends its window would be everything. */
export const needsEnds = (subject: Subject, { inicio, fim }: Ends): boolean =>
  'tipo' in subject && subject.tipo === 'maquina' && !(inicio && fim)

export function usePreview(subject: Subject, { motivo: _reason, ...ends }: Ends) {
  const request = { ...subject, ...ends } as Subject
  const { queryFn: _, ...reading } = query(containments.preview, { query: request })
  return useInfiniteQuery({
    ...reading,
    queryFn: ({ signal, pageParam }) =>
      call(
        containments.preview,
        { query: { ...request, ...(pageParam ? { depoisDe: pageParam } : {}) } },
        { signal },
      ) as Promise<ContainmentPreview>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ proxima }) => proxima,
    placeholderData: keepPreviousData,
    enabled: !needsEnds(subject, ends),
  })
}

type Choice = { without: ReadonlySet<string>; isNothing?: boolean; reason?: string }

/** What is opened: the subject as it is shown, without the possible ones that were left out. */
export function formOf(subject: Subject, ends: Ends, { without, isNothing, reason }: Choice): ContainmentForm {
  return {
    ...subject,
    ...ends,
    ...(reason ? { motivo: reason } : {}),
    ...(without.size > 0 ? { semApontamentos: [...without] } : {}),
    ...(isNothing ? { semPecas: true as const } : {}),
  }
}
