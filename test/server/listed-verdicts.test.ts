import { expect, test } from 'vitest'
import type { CutItem, Part } from '../../src/contract/items.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { crimpOf, databases, ORDER, UNTOUCHED } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'

test.each(databases)(
  'lists and item say which ends were recorded outside their plan, and the trace what nobody measured, on %s',
  async (database) => {
    const panel = await setUpMeasuring({ database })
    const { ask, token, plan, measure, heights, invalidate } = panel
    const outside = async (address: string): Promise<Part[] | undefined> => {
      const { items } = (await ask(token, { url: `/api/apontamentos/${address}` })).json() as { items: CutItem[] }
      return items.find((item) => item.Z1_CODBAR === UNTOUCHED)?.foraDoPlano
    }
    const search = `itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`
    const missed = async () => {
      const trace = (await ask(token, { url: `/api/rastreabilidade?termo=${UNTOUCHED}` })).json() as Trace
      return trace.linhas.map((line) => line.faltouMedir)
    }
    const record = (pieces: number, samples: string[] = []) =>
      panel.record(token, { ...crimpOf(pieces), captura: { plano: 1, medicoes: samples } })
    await plan()
    await record(1)
    expect([await missed(), await outside(search)]).toEqual([['primeira-peca'], undefined])
    const { medicoes } = await measure({ ...heights(1200), acao: 'ajustei' })
    const id = medicoes[0]?.id ?? ''
    await record(2, [id])
    expect([await outside(search), await outside(`copias?filial=010101&termo=${ORDER}`)]).toEqual([['l1'], ['l1']])
    await invalidate(id)
    expect(await outside(search), 'taken out of all that is judged').toBeUndefined()
  },
)
