import { fileURLToPath } from 'node:url'
import { type Page, test } from '@playwright/test'
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'
import { makeSampleOrders } from '../../demo/simulator/sample-orders.ts'
import { present } from '../../src/domain/acts/recordings.ts'
import { wireColourName } from '../../src/domain/acts/wires.ts'
import type { Wire } from '../../src/web/parts/wires/WireDrawing.tsx'
import { expect, expectAccessible } from '../support/journeys/journey.ts'

const single = ['am', 'az', 'br', 'cz', 'lr', 'mr', 'pr', 'rs', 'rx', 'vd', 'vm']
const striped = ['am/vd', 'az/br', 'br/vm', 'cz/mr', 'lr/vm', 'mr/pr', 'pr/br', 'rs/az', 'rx/am', 'vd/pr']
const odd = ['br/pr/vm', 'am/az/vd', 'AM/VD', ' vm ', 'vd/vd', 'xy', 'az/xy', 'xy/zz', '']
const gauges = ['0,35', '0.5', '0,75', '1', '1,50', '2.5', '4,00', '', '?']
const ends: Pick<Wire, 'left' | 'right'>[] = [
  {
    left: { kind: 'crimp', terminal: 'T1326030', seal: 'S0963244' },
    right: { kind: 'crimp', terminal: 'T0925590', seal: null },
  },
  { left: { kind: 'crimp', terminal: null, seal: null }, right: { kind: 'crimp', terminal: 'T0925590', seal: null } },
  { left: { kind: 'elsewhere', name: 'X10.3' }, right: { kind: 'joint', name: 'J 02/A' } },
  { left: { kind: 'joint', name: 'J01' }, right: { kind: 'elsewhere', name: '' } },
]
const codes = [...single, ...striped, ...odd]
const markings = ['C101', '30.2-A', '', 'GRAVAÇÃO LONGA 24']

/** As the sample data have them and as a careless ERP might. */
const wires = codes.map(
  (colour, index): Wire => ({
    colour,
    gauge: gauges[index % gauges.length] ?? '',
    marking: markings[index % markings.length] ?? '',
    barcode: index % 9 === 8 ? '' : '0101621401001000010007',
    ...(index % 4 < 2 ? { lengthMm: 1250 } : {}),
    ...(ends[index % ends.length] ?? { left: { kind: 'joint', name: '' }, right: { kind: 'joint', name: '' } }),
  }),
)

const GALLERY = 'ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:12px;padding:12px}'

/** Drawings on one page, rendered as the product renders them; no address of the product shows it. */
async function gallery(drawn: readonly Wire[], layout: string): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const vite = await createServer({
    configFile: `${root}/vite.config.ts`,
    root: `${root}/src/web`,
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'error',
  })
  try {
    const drawing = await vite.ssrLoadModule('/parts/wires/WireDrawing.tsx')
    const colour = await vite.ssrLoadModule('/parts/wires/WireColour.tsx')
    const { default: css } = (await vite.ssrLoadModule('/app/theme.css?inline')) as { default: string }
    const WireDrawing = drawing.WireDrawing as FunctionComponent<{ wire: Wire }>
    const WireColour = colour.WireColour as FunctionComponent<{ code: string }>
    const cards = drawn.map(
      (wire, index): ReactNode =>
        createElement(
          'li',
          { key: String(index), 'data-code': wire.colour, 'data-engraving': wire.marking },
          createElement(WireColour, { code: wire.colour }),
          createElement(WireDrawing, { wire }),
        ),
    )
    const page = createElement('main', null, createElement('h1', null, 'Cabos'), createElement('ul', null, cards))
    const markup = renderToStaticMarkup(page)
    return `<!doctype html><html lang="pt-BR"><title>Cabos</title><style>${css}${layout}</style>${markup}</html>`
  } finally {
    await vite.close()
  }
}

/** The colours that a drawing is painted with, top to bottom; the light and shadow on it left out. */
async function paintOf(page: Page, index: number): Promise<(string | null)[]> {
  const drawing = page.locator('li').nth(index).getByRole('img')
  const rects = await drawing.locator('[data-body] > svg > rect:not([opacity])').all()
  return Promise.all(rects.map((rect) => rect.getAttribute('fill')))
}

test('cada cor, combinação, código desconhecido e cabo sem cor se desenha e se diz', async ({ page }, testInfo) => {
  const html = await gallery(wires, GALLERY)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setContent(html)
    await expect(page.getByRole('img')).toHaveCount(codes.length)
    for (const [index, code] of codes.entries()) {
      const card = page.locator('li').nth(index)
      const spoken = wireColourName(code)
      await expect(card.getByRole('img')).toHaveAttribute('aria-label', new RegExp(`^Cabo ${spoken}, `, 'i'))
      await expect(card.locator('figcaption')).toContainText(spoken)
      await expect(card.locator('figcaption')).toContainText(code.trim() === '' ? '-' : code.trim().toUpperCase())
    }
    expect(await paintOf(page, codes.indexOf('am'))).toEqual(['#FFD600'])
    expect(await paintOf(page, codes.indexOf('am/vd'))).toEqual(['#FFD600', '#2E9E3F'])
    expect(await paintOf(page, codes.indexOf('br/pr/vm'))).toEqual(['#FFFFFF', '#1C1C1C', '#D32020'])
    expect(await paintOf(page, codes.indexOf('vd/vd'))).toEqual(['#2E9E3F'])
    expect(await paintOf(page, codes.indexOf('az/xy'))).toEqual(['#1565C0', expect.stringMatching(/^url\(#/)])
    expect(await paintOf(page, codes.indexOf(''))).toEqual(['none'])
    await expectAccessible(page)
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
      await page.screenshot({ path: testInfo.outputPath(`cabos-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
})

const crimp = (terminal: string, seal: string) => ({
  kind: 'crimp' as const,
  terminal: present(terminal),
  seal: present(seal),
})

const ofDemonstration = makeSampleOrders().flatMap(({ rows }) =>
  rows.map(
    (item): Wire => ({
      colour: item.Z1_COR,
      gauge: item.Z1_BITOLA,
      marking: item.Z1_GRAVA.trim(),
      barcode: item.Z1_CODBAR,
      left: crimp(item.Z1_TERML1, item.Z1_SELOL1),
      right: crimp(item.Z1_TERML2, item.Z1_SELOL2),
    }),
  ),
)

/** Up to the 20 characters of the ERP's field, the widest letters among them. */
const generated = [...'WM1 -'].flatMap((widest) =>
  Array.from({ length: 20 }, (_, at): Wire => {
    const marking = `${'A1.'.repeat(7)}`.slice(0, at).replaceAll('.', widest) + widest
    const { left, right } = ends[at % 2 === 0 ? 0 : at % ends.length] ?? { left: crimp('', ''), right: crimp('', '') }
    return { colour: codes[at] ?? '', gauge: '2.5', marking: marking.trim(), barcode: '', left, right }
  }),
)

/** Engravings that are not wholly inside their wire's body or below it, or that nobody sees. */
const cutEngravings = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('li')].flatMap((li) => {
    const engraving = li.dataset.engraving
    if (!engraving) return []
    const drawing = li.querySelector('[role=img]')
    const whole = drawing.getBoundingClientRect()
    const shown = [...drawing.querySelectorAll('[data-print]')].filter((print) => print.checkVisibility())
    if (shown.length === 0) return [engraving + ': not shown']
    return shown.flatMap((print) => {
      const range = document.createRange()
      range.selectNodeContents(print)
      const text = range.getBoundingClientRect()
      const room = print.dataset.print === 'body' ? print.parentElement.getBoundingClientRect() : whole
      const isInside =
        text.left >= room.left - 0.5 && text.right <= room.right + 0.5 && text.top >= whole.top - 0.5 && text.bottom <= whole.bottom + 0.5
      return isInside && print.textContent === engraving ? [] : [engraving + ' ' + print.dataset.print + ' at ' + Math.round(whole.width)]
    })
  })`)

test('a gravação de cada cabo se lê inteira, por menor que seja o lugar', async ({ page }) => {
  const drawn = [...ofDemonstration, ...generated]
  expect(drawn.length).toBeGreaterThan(200)
  await page.setContent(await gallery(drawn, 'main{container-type:normal}'))
  // the narrowest is that of the item's head
  for (const width of [224, 260, 334, 480, 640, 900]) {
    for (const text of ['100', '130']) {
      await page.evaluate(`document.documentElement.dataset.text = '${text}'`)
      await page.addStyleTag({ content: `main{width:${(width * Number(text)) / 100}px}` })
      expect(await cutEngravings(page), `${width} px, ${text} %`).toEqual([])
    }
  }
})
