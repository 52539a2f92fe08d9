import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { ErpGateway, WriteOutcome } from '../../src/server/erp/gateway.ts'
import { type Database, databases } from '../support/harness.ts'
import { openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'
import { recordingOf, type Section } from '../support/promises/workload.ts'
import { mutants } from '../support/simulation/mutants.ts'

const { rounds } = sizeOf('p29')

const PIECES_MAX = 5
const page = (text: string) => `<html><body>${text}</body></html>`
const FOREIGN = '00000000-0000-4000-8000-000000000000'
const SUCCESS = '{"message":"Apontamento realizado com sucesso!"}'

/** A status and a body. A few an ERP says only when it stored, or only when it did not; all others say nothing of that. */
const answers: [spoken: string, storedOnly?: boolean][] = [
  // a clean error is a refusal, under 2xx too (decision 022)
  ['200 {"error":"Tabela em uso"}', false],
  ['200 {"erro":"Registro bloqueado no escritório"}', false],
  ['200 {"code":500,"message":"Índice em reconstrução","detailedMessage":""}'],
  ['200 {"errorCode":503,"errorMessage":"Serviço sobrecarregado"}'],
  ['200 {"sucesso":false}'],
  ['200 {"success":"false"}'],
  ['200 {"ok":false}'],
  ['200 {"status":"erro"}'],
  ['200 {"status":"online"}'],
  ['200 {"items":[]}'],
  ['200 {"message":"Processado"}'],
  ['200 {"message":"Gravação não realizada com sucesso"}'],
  ['200 {"status":"0","message":"Em processamento"}'],
  ['200 {}'],
  ['200 []'],
  ['200 true'],
  ['200 null'],
  ['200 '],
  ['202 {"message":"Recebido"}'],
  [`201 {"message":"Apontamento realizado com sucesso!","ID_INTEGRACAO":"${FOREIGN}","status":"1"}`],
  [`200 ${page('Apontamento registrado com sucesso')}`],
  ['200 {"message":"Apontamento realiza'],
  [`201 ${SUCCESS}{"errorCode":500,"errorMessage":"Etiqueta sem impressora"}`],
  [`200 {"errorCode":400,"errorMessage":"Sem permissão"}${SUCCESS}`],
  [`302 ${page('Entrar no portal')}`],
  ['403 {"errorCode":403,"errorMessage":"Sem direito à rotina"}'],
  [`404 ${page('Not Found')}`],
  [`405 ${page('Method Not Allowed')}`],
  ['408 {"errorCode":408,"errorMessage":"Tempo esgotado"}'],
  ['425 {"message":"Too Early"}'],
  ['429 {"errorCode":429,"errorMessage":"Limite de chamadas atingido"}'],
  [`429 ${page('Too Many Requests')}`],
  ['500 {"errorCode":500,"errorMessage":"Erro ao imprimir a etiqueta"}'],
  [`500 ${page('THREAD ERROR ([1], X) called from Y')}`],
  [`502 ${page('Bad Gateway')}`],
  [`503 ${page('Licença de uso do portal expirada')}`],
  ['503 {"errorCode":503,"errorMessage":"Sem licença disponível para a rotina"}'],
  [`504 ${page('Gateway Timeout')}`],
  [`201 ${SUCCESS}`, true],
  ['400 {"errorCode":400,"errorMessage":"Lote bloqueado"}', false],
]

type Lookup = 'id' | 'none'
type Case = { spoken: string; stored: boolean; fromQueue: boolean }

const cases: Case[] = answers.flatMap(([spoken, storedOnly]) =>
  [true, false]
    .filter((stored) => storedOnly === undefined || stored === storedOnly)
    .flatMap((stored) => [true, false].map((fromQueue) => ({ spoken, stored, fromQueue }))),
)

type Options = { lookup: Lookup; database?: Database; gateway?: (erp: ErpGateway) => ErpGateway }

/** Each case on a part of its own; then the ERP is well, time goes by, and its rows are compared with what is believed. */
async function speak({ lookup, database = 'sqlite', gateway }: Options, times: number) {
  const random = randomFor(SEED, 'words')
  const panel = await openLoadedPanel({
    database,
    sectionsMin: 2 * cases.length,
    piecesMin: 2 * PIECES_MAX * cases.length * times,
    simulator: { lookup: lookup === 'id' },
    env: { ERP_LOOKUP: lookup },
    ...(gateway ? { gateway } : {}),
  })
  const { state } = panel.simulator
  let { token } = panel
  let at = 0
  const nextSection = (): Section => {
    const section = panel.sections[at++ % panel.sections.length] as Section
    if (section.open < PIECES_MAX) return nextSection()
    section.open -= PIECES_MAX
    return section
  }
  const record = async (more: object) => {
    const id = randomUUID()
    const payload = { ...recordingOf(nextSection(), random.between(1, PIECES_MAX)), ...more }
    return { id, status: (await panel.record(token, payload, id)).statusCode }
  }
  const byId = new Map<string, Case>()
  const say = async (one: Case) => {
    const fault = { id: one.stored ? ('F36' as const) : ('F34' as const), variant: 'verbatim', message: one.spoken }
    await state.setFaults([{ ...fault, operation: 'apontamentos' }])
    const { id, status } = await record(one.fromQueue ? { captura: { salvoNoDispositivo: true } } : {})
    expect([201, 202, 422]).toContain(status)
    // what the breaker or a pause held back hears it in its turn
    for (let rest = 0; state.activeFaults.length > 0 && rest < 20; rest++) {
      panel.clock.advance(20_000)
      await panel.context.outbox.deliverDue()
    }
    expect(state.activeFaults).toEqual([])
    byId.set(id, one)
  }
  // what the ERP confirms first shows that it can be asked by id
  expect((await record({})).status).toBe(201)
  for (let time = 0; time < times; time++) {
    for (const one of cases) await say(one)
    await state.setFaults([])
    await untilNothingWaits(panel)
    // by now sessions have ended
    token = (await panel.login('operador')).token
  }
  // what a person must decide is logged as an error
  panel.errors.length = 0
  const rows = await panel.db.read.selectFrom('recordings').select(['id', 'state']).execute()
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  const written = new Map<string, number>()
  for (const { id } of state.writes) written.set(id, (written.get(id) ?? 0) + 1)
  const timesAtErp = (id: string) => written.get(id) ?? 0
  const ids = [...byId.keys()]
  const has = (id: string, ...wanted: string[]) => wanted.includes(states.get(id) ?? '')
  const bad = {
    wronglyConfirmed: ids.filter((id) => has(id, 'delivered') && timesAtErp(id) === 0),
    wronglyRefused: ids.filter((id) => has(id, 'refused', 'parked') && timesAtErp(id) > 0),
    doubled: ids.filter((id) => timesAtErp(id) > 1),
    missing: ids.filter((id) => !states.has(id)),
  }
  const uncertain = ids.filter((id) => has(id, 'uncertain')).length
  return { spoken: byId.size, uncertain, bad, why: Object.values(bad).flatMap((of) => of.map((id) => byId.get(id))) }
}

const none = { wronglyConfirmed: [], wronglyRefused: [], doubled: [], missing: [] }

describe('P29: whatever the ERP answers to a write, stored or not', () => {
  const kinds: Database[] = isFull ? databases : ['sqlite']
  test.each(kinds.flatMap((database) => (['id', 'none'] as const).map((lookup) => ({ database, lookup }))))(
    'nothing is wrongly believed or doubled on $database, look-up $lookup',
    async (options) => {
      const { spoken, uncertain, bad, why } = await speak(options, rounds)
      expect(bad, JSON.stringify(why)).toEqual(none)
      const outcome = { wronglyConfirmed: 0, wronglyRefused: 0, doubled: 0, uncertain }
      report(`P29 ${options.database}, lookup ${options.lookup}`, { answers: answers.length, rounds, spoken }, outcome)
      expect(answers).toHaveLength(40)
      expect(spoken).toBe(cases.length * rounds)
    },
  )

  const bend =
    (change: (outcome: Extract<WriteOutcome, { outcome: 'unknown' }>) => WriteOutcome) =>
    (erp: ErpGateway): ErpGateway => ({
      ...erp,
      async recordCutCrimp(write) {
        const outcome = await erp.recordCutCrimp(write)
        return outcome.outcome === 'unknown' ? change(outcome) : outcome
      },
    })

  test.each([
    ['a confirmation', 'wronglyConfirmed', bend(({ message }) => ({ outcome: 'confirmed', message, erpRecord: null }))],
    ['a refusal', 'wronglyRefused', bend(({ message }) => ({ outcome: 'refused', message }))],
    ['never sent', 'doubled', mutants['a write without an answer is taken for one that never left']?.gateway],
  ] as const)('it notices what is unknown taken for %s', async (_, fault, gateway) => {
    expect(gateway).toBeDefined()
    const { bad } = await speak({ lookup: 'id', ...(gateway ? { gateway } : {}) }, 1)
    expect(bad[fault].length).toBeGreaterThan(0)
  })
})
