import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { BADGE_REMOVED } from '../../src/domain/text/badge-texts.ts'
import { goodOf, nameOf, requestOf, type Sent } from '../support/bad-input/requests.ts'
import { fieldsOf } from '../support/bad-input/wrong-requests.ts'
import { callOf, cutOf, type Database, databases, measurementOf } from '../support/harness.ts'
import { savedOnTablet, setUp } from '../support/waiting.ts'

const BADGE = 'PIC-000000000'
type Panel = Awaited<ReturnType<typeof setUp>>

/** Every text that the database holds, whatever its table. */
async function storedTexts({ db }: Panel): Promise<string> {
  const tables = await db.read.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.read
        .selectFrom(name as 'settings')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify(rows)
}

/** One request a text field of each call: that field alone holds a badge. */
const requests = endpoints
  .filter(({ byBadge }) => !byBadge)
  .flatMap((endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((place) => {
      const { properties } = fieldsOf(endpoint, place)
      const texts = Object.entries(properties).filter(([, { type, format, enum: words }]) => {
        return type === 'string' && !format && !words
      })
      return texts.map(([field]) => ({ endpoint, place, field }))
    }),
  )
  .filter(({ field }) => !/senha$|password$/i.test(field))

test('no call takes a badge in a text, and nothing of it is stored', async () => {
  const panel = await setUp({})
  const { admin, ask } = panel
  expect(requests.length).toBeGreaterThan(100)
  for (const { endpoint, place, field } of requests) {
    const sent = goodOf(endpoint)
    const wrong: Sent = { ...sent, [place]: { ...(sent[place] as object), [field]: BADGE } }
    const answer = await ask(admin, requestOf(endpoint, wrong))
    const said = answer.json<ErrorReply>()
    expect([answer.statusCode, said.code], `${nameOf(endpoint)} ${field}: ${answer.body}`).toEqual([
      400,
      'input_invalid',
    ])
    expect(answer.body).not.toContain(BADGE)
  }
  expect(await storedTexts(panel)).not.toContain(BADGE)
})

test('a search or a trace for a badge asks nobody', async () => {
  const { token, ask, simulator } = await setUp({})
  const before = simulator.state.log.length
  for (const url of [
    `apontamentos/itens?filial=010101&modo=APONTAMENTO&termo=${BADGE}`,
    `apontamentos/itens/${BADGE}000000000?filial=010101`,
    `rastreabilidade?termo=${BADGE.toLowerCase()}`,
    `juncao/obter-juncoes?filial=010101&numeroOp=${BADGE}`,
  ]) {
    const answer = await ask(token, { url: `/api/${url}` })
    expect([answer.statusCode, answer.json().message], url).toEqual([
      400,
      'Isto é um crachá: não se escreve nem se procura.',
    ])
  }
  expect(simulator.state.log.length).toBe(before)
})

describe.each(databases)('what a tablet of a version before has called saved, on %s', (database: Database) => {
  test('is kept without the badge that it holds, and answers its replay as before', async () => {
    const panel = await setUp({ database })
    const { record, token, list } = panel
    const payload = savedOnTablet({ ...cutOf(1), LOTE_CABO: `]C0${BADGE}` })
    const id = randomUUID()
    const first = await record(token, payload, id)
    expect([first.statusCode, first.json().status], first.body).toEqual([202, 'pendente'])
    const again = await record(token, payload, id)
    expect([again.statusCode, again.json().message]).toEqual([202, first.json().message])
    expect((await record(token, savedOnTablet({ ...cutOf(1), LOTE_CABO: `]C0${BADGE}0` }), id)).statusCode).toBe(409)
    const [pending] = await list()
    expect(pending).toMatchObject({ situacao: 'recusado', apontamento: { LOTE_CABO: `]C0${BADGE_REMOVED}` } })
    expect(await storedTexts(panel)).not.toContain(BADGE)
  })

  test('a sample and a call for maintenance are taken without it', async () => {
    const panel = await setUp({ database })
    const { token, ask } = panel
    const captura = { salvoNoDispositivo: true }
    const post = (url: string, payload: object, id: string) =>
      ask(token, { method: 'POST', url: `/api/${url}`, headers: { 'idempotency-key': id }, payload })
    const [sample, call] = [randomUUID(), randomUUID()]
    for (let nth = 0; nth < 2; nth++) {
      const measured = await post('medicoes', measurementOf({ lote: BADGE, captura }), sample)
      expect([measured.statusCode, measured.json().medicoes?.[0].lote], measured.body).toEqual([201, ''])
      const pressed = await post('chamados', callOf({ nota: `com ${BADGE}`, captura }), call)
      expect(pressed.json().chamado?.nota, pressed.body).toBe(`com ${BADGE_REMOVED}`)
    }
    expect(await storedTexts(panel)).not.toContain(BADGE)
  })
})
