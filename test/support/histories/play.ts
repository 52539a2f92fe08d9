import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ControlPlan, PlanContent } from '../../../src/contract/control-plans.ts'
import type { MeasurementAnswer } from '../../../src/contract/measurements.ts'
import type { Capture } from '../../../src/contract/recordings.ts'
import type { Release as GivenRelease } from '../../../src/contract/releases.ts'
import { addUser, crimpOf, PASSWORD } from '../harness.ts'
import { setUpMeasuring } from '../measuring.ts'
import { browserOf, grantOf, pairOf } from '../visitor.ts'
import { BruteHistory, holds, type Press, type Release, type Row, type Sample, shownOf, whats } from './brute.ts'
import {
  type ActOf,
  barcodeOf,
  type Drawn,
  items,
  type Look,
  type OrderNumber,
  orders,
  refusalText,
  versionOf,
} from './draws.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const APART_MS = 3000
const PLANS = '/api/planos-de-controle'
const MARIA = 'Maria Souza'
const RITA = 'Rita Melo'

/** All that a history leaves; versions of the plan go on. */
const left = [
  ...([
    'measurements',
    'recording_measurements',
    'recordings',
    'recording_findings',
    'releases',
    'outside_acts',
  ] as const),
  ...(['treatments', 'sample_subjects', 'invalidations', 'daily_production', 'erp_outbox'] as const),
]

type Panel = Awaited<ReturnType<typeof setUpMeasuring>>
export type Played = Awaited<ReturnType<typeof openPlant>>

/** One whose session an admin has ended for good, but whose tablet still delivers. */
async function addDoubted(panel: Panel) {
  const { admin, ask, context } = panel
  await addUser(context, { username: 'saiu', fullName: 'Ivo Reis' })
  const browser = browserOf(panel)
  const pair = pairOf(await browser.login('saiu'))
  await browser.logout(pair)
  const { id } = (await ask(admin, { url: '/api/usuarios' }))
    .json()
    .find((one: { username: string }) => one.username === 'saiu')
  const payload = { fullName: 'Ivo Reis', role: 'operador', active: false }
  expect((await ask(admin, { method: 'PUT', url: `/api/usuarios/${id}`, payload })).statusCode).toBe(200)
  return grantOf(pair)
}

/** A plant that blocks, with two items without end, in which one history after the other is played. */
export async function openPlant() {
  const panel = await setUpMeasuring({ env: { SHIFTS: '06:00,14:00,22:00', TIME_ZONE: 'America/Sao_Paulo' } })
  const { ask, admin, clock, simulator, db } = panel
  const doubted = await addDoubted(panel)
  await ask(admin, { method: 'PUT', url: '/api/configuracao', payload: { planMode: 'bloquear' } })
  const who = { token: panel.token, quality: panel.quality }
  for (const order of orders) {
    Object.assign(simulator.state.row(barcodeOf(order)) ?? {}, { Z1_QUANT: 1_000_000 })
    await db.transaction((tx) => tx.deleteFrom('erp_items').execute())
  }
  for (const order of orders) await ask(who.token, { url: `/api/apontamentos/itens/${barcodeOf(order)}?filial=010101` })
  const versions: { id: number; version: number }[] = []
  const planAnew = async (payload: PlanContent) => {
    const seen = versions.at(-1)
    const headers: Record<string, string> = seen ? { 'if-match': `"${seen.version}"` } : {}
    const answer = await ask(who.quality, { method: 'POST', url: PLANS, payload, headers })
    expect(answer.statusCode, answer.body).toBe(201)
    const { id, version } = answer.json<ControlPlan>()
    versions.push({ id, version })
    return versionOf(payload, version, clock.now())
  }
  /** At one in the afternoon of the next day. */
  const begin = async () => {
    await db.transaction(async (tx) => {
      for (const table of left) await tx.deleteFrom(table).execute()
    })
    clock.advance(24 * HOUR_MS - ((clock.now() - 16 * HOUR_MS) % (24 * HOUR_MS)))
    who.token = (await panel.login('operador')).token
    who.quality = (await panel.login('rita')).token
  }
  return { ...panel, who, doubted, planAnew, begin, versions }
}

/** Plays one drawn history and lets the brute force see the same; what is answered at once is compared at once. */
export class Play {
  readonly brute = new BruteHistory()
  private begunAt = 0
  private readonly instants: number[] = []

  private readonly plant: Played

  constructor(plant: Played) {
    this.plant = plant
  }

  async all(drawn: Drawn): Promise<void> {
    const { plant, brute } = this
    await plant.begin()
    brute.versions.push(await plant.planAnew(drawn.plan))
    plant.clock.advance(5 * MINUTE_MS)
    this.begunAt = plant.clock.now()
    for (const act of drawn.acts) {
      plant.clock.advance(act.step * MINUTE_MS)
      if (act.kind === 'sample') await this.measure(act)
      else if (act.kind === 'press') await this.press(act)
      else if (act.kind === 'release') await this.release(act.spot.order, act.look)
      else if (act.kind === 'out') await this.takeOut(act)
      else if (act.kind === 'treat') await this.treat(act)
      else brute.versions.push(await plant.planAnew(act.plan))
    }
    plant.clock.advance(drawn.wait * MINUTE_MS)
  }

  /** No two acts of one instant, nor near it: who knows whose clock is right to the second? */
  private doneAt(late: number) {
    const { clock } = this.plant
    const isNear = (ms: number) => this.instants.some((one) => Math.abs(one - ms) < APART_MS)
    while (late === 0 && isNear(clock.now())) clock.advance(APART_MS)
    const receivedAt = clock.now()
    let at = late === 0 ? receivedAt : Math.max(this.begunAt - MINUTE_MS / 2, receivedAt - late * MINUTE_MS)
    while (isNear(at)) at -= APART_MS
    this.instants.push(at)
    if (late === 0) return { at, receivedAt, captura: {} }
    return { at, receivedAt, captura: { salvoNoDispositivo: true, registradoEm: new Date(at).toISOString() } }
  }

  private async measure({ spot, readings, late, isDoubted }: ActOf<'sample'>): Promise<void> {
    const { plant, brute } = this
    const { at, receivedAt, captura } = this.doneAt(isDoubted ? Math.max(late, 1) : late)
    const id = randomUUID()
    const headers = isDoubted ? plant.doubted : { authorization: `Bearer ${plant.who.token}` }
    const given: Sample['readings'] = readings
    const answer = await plant.send(
      { headers },
      {
        ...{ codigoBarras: barcodeOf(spot.order), ordem: spot.order, maquina: spot.press, miniaplicador: spot.tool },
        ...{ lote: spot.reel, ocasiao: 'avulsa', captura },
        leituras: whats.flatMap((caracteristica) => {
          const valores = given[caracteristica]
          return valores ? [{ caracteristica, valores: [...valores] }] : []
        }),
      },
      id,
    )
    expect(answer.statusCode, answer.body).toBe(201)
    const { medicoes, pecasDesdeABoa } = answer.json<MeasurementAnswer>()
    const by = isDoubted ? 'Ivo Reis' : MARIA
    const expected = brute.measure({ ...spot, id, at, receivedAt, by, readings: given, counts: !isDoubted })
    const said = medicoes.map(({ caracteristica, veredito }) => [caracteristica, veredito])
    expect({ verdicts: said, suspect: pecasDesdeABoa }, 'answer of a sample').toEqual(expected)
  }

  /** The samples that the form of this press took and no recording has named yet: the newest three. */
  private namable({ order, tool, reel }: ActOf<'press'>['spot'], at: number): string[] {
    const { rows, presses } = this.brute
    const key = (name: string) => name.trim().toLowerCase()
    const isMine = (row: Row) => holds(row) && !row.isTyped && row.order === order && row.reel === reel && row.at <= at
    const mine = rows
      .filter((row) => isMine(row) && key(row.tool) === key(tool))
      .filter(({ id }) => !presses.some(({ named }) => named.includes(id)))
      .toSorted((one, other) => one.at - other.at)
    return [...new Set(mine.map(({ id }) => id))].slice(-3)
  }

  /** As the form shows them: what its newest sample gave it, as it mostly does, else what was typed. */
  private valuesOf({ typed, isAsTaken }: ActOf<'press'>, named: readonly string[]): Press['values'] {
    const values: Press['values'] = structuredClone(typed)
    if (!isAsTaken) return values
    for (const what of ['altura', 'forca'] as const) {
      const taken = this.brute.rows.filter((row) => named.includes(row.id) && row.what === what)
      const last = taken.toSorted((one, other) => one.at - other.at).at(-1)
      if (last) values[what] = { milli: shownOf(what, last.values, 1100), isMeasured: true }
    }
    return values
  }

  private async press(act: ActOf<'press'>): Promise<void> {
    const { spot, late } = act
    let release: string | null = null
    if (late === 0 && act.release === 'ask') release = await this.release(spot.order, act.look)
    const { at, receivedAt, captura } = this.doneAt(late)
    if (late === 0 && act.release === 'last')
      release = this.brute.releases.findLast(({ order }) => order === spot.order)?.id ?? null
    const named = act.isNaming ? this.namable(spot, at) : []
    const values = this.valuesOf(act, named)
    const by = act.isByQuality ? RITA : MARIA
    const press = { ...spot, id: randomUUID(), at, receivedAt, by, pieces: act.pieces, named, values, release }
    const expected = this.brute.record({ ...press, isSaved: late > 0 })
    const answer = await this.send(press, captura)
    // who records next at this item waits behind what waits
    if (late > 0) await this.plant.deliverDue()
    if (expected === null) expect([201, 202], answer.body).toContain(answer.statusCode)
    else {
      const { code, message } = answer.json()
      expect([code, message], 'answer of a recording').toEqual(['plan_not_met', refusalText(expected)])
    }
  }

  private send(
    { order, tool, press, reel, by, id, pieces, named, values, release, at }: Omit<Press, 'isSaved'>,
    captura: Capture,
  ) {
    const { plant, brute } = this
    const item = items[order as OrderNumber]
    const { version } = brute.planAt(at)
    return plant.record(
      by === RITA ? plant.who.quality : plant.who.token,
      {
        ...crimpOf(pieces, tool),
        ...{ ORDEM_PROD: order, COD_BARRA: item.codigoBarras, SELO_LD1: item.SELO_LD1, QTD_ORDEM_PROD: 1_000_000 },
        ...{ MAQUINA: press, LOTE_TERM_LD1: reel },
        ...{ ALTURA_LD1: values.altura.milli / 1000, FORCA_LD1: values.forca.milli / 1000 },
        captura: {
          ...captura,
          ...{ plano: plant.versions.find((one) => one.version === version)?.id, medicoes: [...named] },
          ...{ medidoAltura: values.altura.isMeasured, medidoForca: values.forca.isMeasured },
          ...(release === null ? {} : { liberacao: release }),
        },
      },
      id,
    )
  }

  private async release(order: OrderNumber, { seen, typed, pieces }: Look): Promise<string> {
    const { plant, brute } = this
    const { at } = this.doneAt(0)
    const ids = [...new Set(brute.rows.filter((row) => row.order === order).map(({ id }) => id))]
    const acts = { 'old page': null, nothing: [], newest: ids.slice(-2), all: ids.slice(-20) }[seen]
    const answer = await plant.ask(plant.who.token, {
      ...{ method: 'POST', url: '/api/liberacoes' },
      payload: {
        ...{ usuario: 'rita', senha: PASSWORD, filial: '010101', codigoBarras: barcodeOf(order), ordem: order },
        ...{ parte: 'l1', motivo: 'Desvio 12/26' },
        ...(acts && {
          atos: acts,
          digitados: typed.map(({ what, milli }) => ({ caracteristica: what, valor: milli })),
          ...(pieces === null ? {} : { pecas: pieces }),
        }),
      },
    })
    expect(answer.statusCode, answer.body).toBe(201)
    const { id } = answer.json<GivenRelease>()
    const looked: Pick<Release, 'acts' | 'typed' | 'pieces'> =
      acts === null ? { acts, typed: [], pieces: null } : { acts, typed, pieces }
    brute.releases.push({ id, at, receivedAt: at, by: RITA, order, ...looked, spentBy: null })
    return id
  }

  /** Takes out one that counts, or gives one back. */
  private async takeOut({ pick, isBack }: ActOf<'out'>): Promise<void> {
    const { plant, brute } = this
    const ids = [...new Set(brute.rows.filter((row) => (row.out !== null) === isBack).map(({ id }) => id))]
    const id = ids[pick % ids.length]
    if (id === undefined) return
    const payload = { motivo: isBack ? 'O bico era o certo' : 'Lida com o bico errado' }
    const url = `/api/medicoes/${id}/${isBack ? 'devolucao' : 'invalidacao'}`
    const answer = await plant.ask(plant.who.quality, { method: 'POST', url, payload })
    expect(answer.statusCode, answer.body).toBe(200)
    if (isBack) brute.giveBack(id)
    else brute.takeOut(id, RITA, payload.motivo)
  }

  private async treat({ pick }: ActOf<'treat'>): Promise<void> {
    const { plant, brute } = this
    const ids = [...new Set(brute.rows.filter(({ verdict }) => verdict === 'fora').map(({ id }) => id))]
    const id = ids[pick % ids.length]
    if (id === undefined) return
    const url = `${PLANS}/medicoes-fora/${id}/tratamentos`
    const answer = await plant.ask(plant.who.quality, { method: 'POST', url, payload: { texto: 'Separadas' } })
    expect(answer.statusCode, answer.body).toBe(201)
    brute.treated.add(id)
  }
}
