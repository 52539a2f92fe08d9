import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EndHistory } from '../../src/contract/end-histories.ts'
import type { OutsideAct } from '../../src/contract/outside-acts.ts'
import type { PlanFinding } from '../../src/contract/releases.ts'
import type { Trace, TraceMeasurement } from '../../src/contract/traces.ts'
import { barcodeOf, histories, orders } from '../support/histories/draws.ts'
import { bruteEnd, bruteTrace, type Traced } from '../support/histories/pages-brute.ts'
import { openPlant, Play, type Played } from '../support/histories/play.ts'
import { limitMs } from '../support/slowness.ts'

const RUNS = Number(process.env.RUNS ?? 50)

const traced: Traced[] = [
  ...orders.map((term) => ({ kind: 'ordem' as const, term })),
  { kind: 'miniaplicador', term: ' ma-0001' },
  { kind: 'maquina', term: 'KX0001 - Komax' },
  { kind: 'lote', term: 'L-2' },
]

const instantOf = (text: string) => Date.parse(text)
/** In no order. */
const sorted = (all: readonly TraceMeasurement[]) =>
  all.map((one) => JSON.stringify([one.medido, one.exigido, one.plano, one.fora])).toSorted()

function viewsOf({ ask, who }: Played) {
  const read = async <T>(url: string, query: Record<string, string>): Promise<T> => {
    const answer = await ask(who.token, { url: `${url}?${new URLSearchParams(query)}` })
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    return answer.json()
  }
  const outside = async (query: Record<string, string> = {}) => {
    const { medicoes } = await read<{ medicoes: OutsideAct[] }>('/api/planos-de-controle/medicoes-fora', query)
    return medicoes.map(({ id, leituras, situacao, operador, semResposta, liberadoPor, tirada }) => ({
      readings: leituras.map(({ caracteristica, valores, medida, apontadas }) => ({
        ...{ what: caracteristica, values: valores, good: medida?.id ?? null, since: medida ? null : apontadas },
      })),
      ...{ id, situation: situacao, by: operador, isUnanswered: semResposta, releasedBy: liberadoPor },
      out: tirada && { by: tirada.por, reason: tirada.motivo, isByOwn: tirada.porQuemMediu },
    }))
  }
  const findings = async () => {
    const url = '/api/planos-de-controle/ocorrencias'
    const { ocorrencias } = await read<{ ocorrencias: PlanFinding[] }>(url, {})
    return ocorrencias.map((one) => ({
      ...{ id: one.apontamento, kind: one.achado, releasedBy: one.liberadoPor, named: one.caracteristicas ?? [] },
      ...{ situation: one.situacao, isByOwn: one.liberadoPorQuemApontou },
    }))
  }
  const trace = async ({ kind, term }: Traced, isOfOutside: boolean) => {
    const filter = isOfOutside ? { filtro: 'fora-do-plano' } : {}
    const { linhas, amostras = [] } = await read<Trace>('/api/rastreabilidade', { termo: term, tipo: kind, ...filter })
    return {
      samples: amostras.map((one) => ({
        ...{ id: one.id, at: instantOf(one.medidoEm), situation: one.situacao, by: one.operador, out: one.motivo },
        ...{ isNamed: one.nomeada, measured: sorted(one.medicoes) },
      })),
      lines: linhas.map((one) => ({
        ...{ id: one.id, at: instantOf(one.registradoEm), pieces: one.pecas, measured: sorted(one.medicoes ?? []) },
      })),
    }
  }
  const end = async (codigoBarras: string) => {
    const { entradas } = await read<EndHistory>('/api/historia-da-medicao', {
      filial: '010101',
      parte: 'l1',
      codigoBarras,
    })
    return entradas.map((one) => {
      const of = { kind: one.tipo, id: one.id, at: instantOf(one.em) }
      if (one.tipo === 'liberacao') return { ...of, by: one.por, press: one.apontamento }
      if (one.tipo === 'apontamento') {
        const said = one.achados.map(({ achado, liberadoPor }) => [achado, liberadoPor])
        return { ...of, measured: sorted(one.linha.medicoes ?? []), findings: said }
      }
      if (one.tipo === 'chamado' || one.tipo === 'refugo') return of
      const { digitada, conta, operador, invalida, leituras, apontamentos } = one
      return {
        ...{ ...of, isTyped: digitada, counts: conta, by: operador, namedBy: apontamentos },
        out: invalida && [invalida.motivo, invalida.por],
        verdicts: leituras.map(({ caracteristica, veredito, exigido }) => [caracteristica, veredito, exigido]),
      }
    })
  }
  return { outside, findings, trace, end }
}

const byId = <T extends { id: string }>(all: readonly T[]) =>
  all.toSorted((one, other) => one.id.localeCompare(other.id))

/** What each page says, and what the brute force says of it. */
async function* pagesOf(
  plant: Played,
  { brute }: Play,
): AsyncGenerator<[name: string, said: object, expected: object]> {
  const views = viewsOf(plant)
  const now = plant.clock.now()
  const asWritten = <T extends { measured: TraceMeasurement[] }>(one: T) => ({ ...one, measured: sorted(one.measured) })
  for (const order of orders) {
    const expected = bruteEnd(brute, order).map((one) => ('measured' in one ? asWritten(one) : one))
    yield [`História da medição, ${order}`, await views.end(barcodeOf(order)), expected]
  }
  for (const what of traced)
    for (const isOfOutside of what.kind === 'ordem' ? [false, true] : [false]) {
      const { samples, lines } = bruteTrace(brute, what, isOfOutside)
      const expected = { samples: samples.map(asWritten), lines: lines.map(asWritten) }
      yield [`Rastreabilidade, ${what.kind} ${what.term}`, await views.trace(what, isOfOutside), expected]
    }
  yield ['Medições fora', byId(await views.outside()), byId(brute.outsidePage(now, false))]
  yield ['Medições fora, tiradas', byId(await views.outside({ tiradas: 'sim' })), byId(brute.outsidePage(now, true))]
  yield ['Ocorrências', byId(await views.findings()), byId(brute.findingsPage())]
}

test(
  'count, gate, traces, histories and both lists of occurrences are those of a brute force, whatever was measured, recorded, released, taken out and delivered late',
  async () => {
    const plant = await openPlant()
    await fc.assert(
      fc.asyncProperty(histories, async (drawn) => {
        const play = new Play(plant)
        await play.all(drawn)
        for await (const [name, said, expected] of pagesOf(plant, play)) expect(said, name).toEqual(expected)
      }),
      { numRuns: RUNS, ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) },
    )
  },
  limitMs(600_000),
)
