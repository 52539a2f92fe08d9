// How long after the one tap that saves a reading outside, with 'Parei e chamei a qualidade', another device rings: a tablet and a
// wall in a real browser, each with its own event stream. From the tap to the first tone that would be played.
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/programs.mjs'
import { fillSide1 } from '../test/support/journeys/cable.ts'
import { chromiumArgs } from '../test/support/journeys/chromium.ts'
import { colleagueAt } from '../test/support/journeys/colleague.ts'
import { logIn, openItemOfOrder } from '../test/support/journeys/journey.ts'
import { fillMeasuring } from '../test/support/journeys/measuring.ts'
import { type Panel, startPanel } from '../test/support/panel.ts'
import { quantile } from './statistics.ts'

/** As many as one person may make in a minute. */
const CALLS = Number(process.env.BENCH_CALLS ?? 20)
const AIM_MS = 2000

const noteTap = `addEventListener('click', ({ timeStamp }) => {
  globalThis.tappedAt = performance.timeOrigin + timeStamp
}, { capture: true })`

/** A browser without a loudspeaker plays nothing: what it would play first since the last question. */
const noteRing = `{
  const start = OscillatorNode.prototype.start
  globalThis.rung = Promise.withResolvers()
  OscillatorNode.prototype.start = function (...at) {
    globalThis.rung.resolve(performance.timeOrigin + performance.now())
    return start.apply(this, at)
  }
}`

async function openPage(browser: Browser, panel: Panel, script: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: panel.url, locale: 'pt-BR' })
  await context.addInitScript(script)
  return await context.newPage()
}

async function timeRings(browser: Browser, panel: Panel): Promise<number[]> {
  const wall = await openPage(browser, panel, noteRing)
  await wall.addInitScript(`localStorage.setItem('preferences', '{"soundingTeams":["qualidade"]}')`)
  await logIn(wall, 'admin', '/pages/controle-crimpagens?aba=chamados')
  await wall.getByRole('list', { name: 'Chamados abertos' }).waitFor()
  const admin = await colleagueAt(panel)
  const tablet = await openPage(browser, panel, noteTap)
  await openItemOfOrder(tablet)
  await fillSide1(tablet)
  const tookMs: number[] = []
  while (tookMs.length < CALLS) {
    const dialog = await fillMeasuring(tablet, '1,17', '90')
    await dialog.getByText('Parei e chamei a qualidade').click()
    await wall.evaluate('void (globalThis.rung = Promise.withResolvers())')
    await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
    const [rungAt, tappedAt] = [
      await wall.evaluate<number>('globalThis.rung.promise'),
      await tablet.evaluate<number>('globalThis.tappedAt'),
    ]
    tookMs.push(rungAt - tappedAt)
    // else the next would join it, and ring for nobody
    const { chamados } = await admin<{ chamados: { id: string; situacao: string }[] }>(
      'GET',
      '/api/chamados?filial=010101&equipe=qualidade',
    )
    for (const { id } of chamados.filter(({ situacao }) => situacao === 'aberto'))
      await admin('POST', `/api/chamados/${id}/solucao`, { causa: 'medicao-refeita' })
  }
  return tookMs
}

export async function measureRings(): Promise<void> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium não encontrado: instale o pacote chromium e repita a medida.')
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const panel = await startPanel()
  try {
    const tookMs = await timeRings(browser, panel)
    const said = [0.5, 0.95, 1].map((share) => `p${share * 100} ${quantile([...tookMs], share).toFixed(0)} ms`)
    console.log(`From the tap to the ring of another device: ${said.join(', ')}, ${CALLS} calls (aim: ${AIM_MS} ms)`)
  } finally {
    await browser.close()
    await panel.stop()
  }
}
