import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { ScrapReason, scrapReasons } from '../../../contract/scrap-reasons.ts'
import { OTHER } from '../../../domain/tools/scraps.ts'
import { readFromDevice, readJson, writeToDevice } from '../../device/store.ts'
import { lasting, query } from '../../server/query.ts'
import { knownReasons } from './work.ts'

const KEY = 'motivos-de-refugo'

/** As this device read them last; undefined where it never did. */
const readReasons = (): ScrapReason[] | undefined => z.array(ScrapReason).safeParse(readJson(readFromDevice(KEY))).data

/** A reason in the plant's words, or in those that were typed. */
export const reasonTextOf = (reasons: readonly ScrapReason[], code: string, words = ''): string =>
  code === OTHER && words !== '' ? words : (reasons.find(({ codigo }) => codigo === code)?.texto ?? code)

/** Which a person without any list may still give. */
const other: ScrapReason = {
  ...{ id: 0, codigo: 'outro', texto: 'Outro', etapa: 'todas', tipo: 'defeito', posicao: 1, ativo: true },
  ...{ uso: {}, version: 0 },
}

/** The reasons, also after a reload without network. Scans hear of them. */
export function useReasons(): readonly ScrapReason[] {
  const { data } = useQuery({
    ...query(scrapReasons.list, {}, { isAfterFrame: true }),
    ...lasting,
    initialData: readReasons,
    initialDataUpdatedAt: 0,
  })
  useEffect(() => {
    if (!data) return
    writeToDevice(KEY, JSON.stringify(data))
    const active = data.filter(({ ativo }) => ativo)
    knownReasons.set(active.map(({ codigo: code, texto: text, etapa: stage }) => ({ code, text, stage })))
  }, [data])
  return data ?? [other]
}
