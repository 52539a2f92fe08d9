import type { Page, Route } from '@playwright/test'
import { describe, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { callTeams } from '../../src/contract/values.ts'
import {
  badge,
  CALL_MAINTENANCE,
  cable,
  callMaintenance,
  fillCable,
  fillSide1,
  MEASURE,
  measureSide1,
  namedAtServer,
  RECORD,
  registerIn,
} from '../support/journeys/cable.ts'
import {
  BARCODE,
  changePanel,
  crimpsOf,
  expect,
  ORDER,
  queryPanel,
  readErpItem,
  section,
} from '../support/journeys/journey.ts'
import { samplesAt } from '../support/journeys/measuring.ts'
import { saveScrap, scrapsAtServer, THROW_AWAY } from '../support/journeys/scrapping.ts'
import { logInAgain, makeTablet, returnToItem, type Tablet, waitingText } from '../support/journeys/tablet.ts'
import { type Panel, startPanel } from '../support/panel.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'
import { LONG } from '../support/slowness.ts'

const { recordings, kills, seeds } = sizeOf('p06')
/** The others come while it has no network. */
const KILLS_IN_DELIVERY = Math.max(1, Math.round(kills * 0.4))
const DELIVERED_BEFORE_KILL_MAX = 3
const DELIVERY_MS_MAX = 60_000
const POLL = { ...LONG, intervals: [200] }

/** Every team, once, for something of its own. */
const calledFor = [
  ['Manutenção', 'manutencao', 'Altura fora'],
  ['Qualidade', 'qualidade', 'Peça duvidosa'],
  ['Material', 'material', 'Selo acabando'],
  ['Líder', 'lider', 'Ajuda'],
] as const
/** Among the recordings: as many apart as there are teams. */
const isCalled = (at: number) => at % Math.floor(recordings / calledFor.length) === 5
const callsBefore = (at: number) => Array.from({ length: at }, (_, nth) => nth).filter(isCalled).length

const parts = ['cabo', 'l1'] as const
type Random = ReturnType<typeof randomFor>

const lotOf = (at: number) => `L${String(at).padStart(6, '0')}`

/** Which of side 1 are measured first, in a sample of their own. */
const isMeasured = (at: number) => at % 20 === 3
const lotsMeasured = Array.from({ length: recordings }, (_, at) => at)
  .filter(isMeasured)
  .map(lotOf)

/** Before which of side 1 pieces of it are thrown away: each time one more, which tells them apart. */
const isThrownAway = (at: number) => at % 20 === 7
const scrapsBefore = (at: number) => Array.from({ length: at }, (_, nth) => nth).filter(isThrownAway).length

/** Cable and side 1 in turn, a piece each, told apart by their lots. */
async function saveOne(page: Page, at: number): Promise<void> {
  const isCable = at % 2 === 0
  const form = isCable ? cable(page) : section(page, 'Terminal Lado 1')
  await form.getByLabel('Lote').fill(lotOf(at))
  if (isMeasured(at)) await measureSide1(page, '1,1', '75')
  else if (!isCable) {
    // a new lot is measured anew
    await form.getByRole('textbox', { name: 'Força de extração' }).fill('70')
    await form.getByRole('textbox', { name: 'Altura de crimpagem' }).fill('1,1')
  }
  if (isCalled(at)) {
    const [team, , reason] = calledFor[callsBefore(at)] ?? calledFor[0]
    await callMaintenance(page, 'lado 1', reason, undefined, team)
  }
  if (isThrownAway(at)) await saveScrap(page, 'Altura fora', scrapsBefore(at) + 1)
  await registerIn(form, isCable ? 'Registrar cabo' : 'Registrar lado 1', 1)
  await expect(badge(page)).toHaveAccessibleName(
    waitingText(
      at + 1 + callsBefore(at + 1) + scrapsBefore(at + 1) + lotsMeasured.filter((lot) => lot <= lotOf(at)).length,
    ),
  )
}

/** Where, among the recordings, the browser dies: at different places each. */
function placesOfDeath(random: Random): Set<number> {
  const places = new Set<number>()
  while (places.size < kills - KILLS_IN_DELIVERY) places.add(random.between(1, recordings - 1))
  return places
}

/** Records everything without a network, dying on the way. Resolves to what is open then. */
async function recordAll(tablet: Tablet, panel: Panel, random: Random): Promise<Page> {
  const deaths = placesOfDeath(random)
  const open = async () => {
    const page = await tablet.open(true)
    await returnToItem(page, panel.url)
    await fillCable(page)
    await fillSide1(page)
    return page
  }
  let page = await open()
  for (let at = 0; at < recordings; at++) {
    if (deaths.has(at)) {
      await tablet.kill()
      page = await open()
    }
    await saveOne(page, at)
  }
  return page
}

/** Lets a few through; the next dies with the browser, before it leaves or on its way. */
async function dieInDelivery(tablet: Tablet, page: Page, random: Random): Promise<void> {
  let left = random.between(1, DELIVERED_BEFORE_KILL_MAX)
  const isSent = random.chance(0.5)
  await new Promise<void>((resolve, reject) => {
    const answer = async (route: Route) => {
      if (left-- > 0) return await route.continue()
      if (isSent) await route.continue()
      await tablet.kill().then(resolve, reject)
    }
    const context = page.context()
    Promise.all([RECORD, MEASURE, CALL_MAINTENANCE, THROW_AWAY].map((call) => context.route(call, answer)))
      .then(() => context.unroute('**/api/status'))
      .catch(reject)
  })
}

const lotsAtServer = (panel: Panel, part: string) =>
  queryPanel<{ lot: string }>(panel, 'select lot from recordings where part = ? order by received_at, rowid', part).map(
    ({ lot }) => lot,
  )

const teamsAtServer = (panel: Panel) =>
  queryPanel<{ team: string; joined: number }>(
    panel,
    `select team, joined from maintenance_calls
     where id not like '00000000-0000-4000-8000-%' order by received_at, rowid`,
  )

const storedCount = (panel: Panel) => parts.reduce((sum, part) => sum + lotsAtServer(panel, part).length, 0)

const atErp = async (panel: Panel) => {
  const { Z1_QTREGCO, Z1_QTREGL1 } = await readErpItem(panel, ORDER, BARCODE)
  return Number(Z1_QTREGCO) + Number(Z1_QTREGL1)
}

describe('P6: the browser is killed while the tablet has no network, and while it delivers', () => {
  const each = Array.from({ length: seeds }, (_, at) => SEED + at)
  test.each(each)(`${recordings} recordings, ${kills} kills: all once and in order, seed %i`, async (seed) => {
    const random = randomFor(seed, 'deaths')
    // What the ERP takes for each is not the tablet's: this one is quick, and stores twice what it is sent twice.
    const panel = await startPanel({ env: { DEMO_ERP_PROFILE: 'clean', DEMO_ERP_LOOKUP: 'none' } })
    onTestFinished(() => panel.stop())
    changePanel(panel, `insert into settings (name, value) values ('call-teams', '${JSON.stringify(callTeams)}')`)
    const tablet = await makeTablet(panel.url)
    onTestFinished(() => tablet.remove())
    const crimpsBefore = crimpsOf(panel, 'MA-0001')

    const reopen = async (isCutOff: boolean) => {
      const page = await tablet.open(isCutOff)
      await logInAgain(page, panel.url)
      return page
    }
    let page = await recordAll(tablet, panel, random)
    expect(storedCount(panel)).toBe(0)
    for (let kill = 0; kill < KILLS_IN_DELIVERY; kill++) {
      if (kill > 0) page = await reopen(true)
      await dieInDelivery(tablet, page, random)
    }
    const storedBefore = storedCount(panel)
    expect(storedBefore).toBeGreaterThan(0)
    expect(storedBefore).toBeLessThan(recordings)

    page = await reopen(false)
    const startedMs = performance.now()
    await expect.poll(() => storedCount(panel), POLL).toBe(recordings)
    await expect.poll(() => atErp(panel), POLL).toBe(recordings)
    const deliveredMs = Math.round(performance.now() - startedMs)
    await expect(badge(page)).toBeHidden(LONG)

    report('P6', { recordings, kills }, { runSeed: seed, storedBefore, deliveredMs })
    const lots = Array.from({ length: recordings }, (_, at) => lotOf(at))
    expect(parts.map((part) => lotsAtServer(panel, part))).toEqual(
      [0, 1].map((turn) => lots.filter((_, at) => at % 2 === turn)),
    )
    // what was typed into a recording is a sample of one
    const apart = samplesAt(panel).filter(({ readings }) => JSON.parse(readings).length > 1)
    expect(apart).toHaveLength(2 * lotsMeasured.length)
    expect(namedAtServer(panel).map(({ lot, isBefore }) => [lot, isBefore])).toEqual(
      lotsMeasured.map((lot) => [lot, 1]),
    )
    expect(teamsAtServer(panel)).toEqual(calledFor.map(([, team]) => ({ team, joined: 0 })))
    const thrownAway = Array.from({ length: scrapsBefore(recordings) }, (_, nth) => nth + 1)
    expect(scrapsAtServer(panel).map(({ pieces }) => pieces)).toEqual(thrownAway)
    const crimps = Math.floor(recordings / 2) + thrownAway.reduce((sum, pieces) => sum + pieces, 0)
    expect(crimpsOf(panel, 'MA-0001') - crimpsBefore).toBe(crimps)
    if (isFull) expect(deliveredMs).toBeLessThanOrEqual(DELIVERY_MS_MAX)
  })
})
