import type { QueryClient } from '@tanstack/react-query'
import { instruments } from '../../../contract/instruments.ts'
import { type TraceKind, traces } from '../../../contract/traces.ts'
import { isSameName } from '../../../domain/people/names.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { readTools } from '../lookups/known.ts'

/** What a label names, spelled as it is registered. */
export type Meaning = { kind: TraceKind; name: string }

/** By the registers first, which this device may have at hand; else by what was made with it. Null: nobody knows it. */
export async function meaningOf(client: QueryClient, branch: string, term: string): Promise<Meaning | null> {
  const { tools, machines } = await readTools(client, branch)
  const gauges = await client.ensureQueryData(query(instruments.list, {})).catch(() => [])
  const registers = [
    ['miniaplicador', tools],
    ['maquina', machines],
    ['instrumento', gauges.map(({ codigo }) => codigo)],
  ] as const
  for (const [kind, names] of registers) {
    const name = names.find((one) => isSameName(one, term))
    if (name !== undefined) return { kind, name }
  }
  const { tipo } = await call(traces.find, { query: { termo: term } })
  return tipo && { kind: tipo, name: term }
}
