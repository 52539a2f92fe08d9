import { fileURLToPath } from 'node:url'
import { type Page, test } from '@playwright/test'
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'
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

/** Every drawing on one page, rendered as the product renders it; no address of the product shows it. */
async function gallery(): Promise<string> {
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
    const cards = wires.map(
      (wire, index): ReactNode =>
        createElement(
          'li',
          { key: String(index), 'data-code': wire.colour },
          createElement(WireColour, { code: wire.colour }),
          createElement(WireDrawing, { wire }),
        ),
    )
    const page = createElement('main', null, createElement('h1', null, 'Cabos'), createElement('ul', null, cards))
    const layout = 'ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:12px;padding:12px}'
    const markup = renderToStaticMarkup(page)
    return `<!doctype html><html lang="pt-BR"><title>Cabos</title><style>${css}${layout}</style>${markup}</html>`
  } finally {
    await vite.close()
  }
}

/** The colours that a drawing is painted with, top to bottom; the light and shadow on it left out. */
async function paintOf(page: Page, index: number): Promise<(string | null)[]> {
  const drawing = page.locator('li').nth(index).getByRole('img')
  const rects = await drawing.locator('svg:nth-child(2) > rect:not([opacity])').all()
  return Promise.all(rects.map((rect) => rect.getAttribute('fill')))
}

test('cada cor, combinação, código desconhecido e cabo sem cor se desenha e se diz', async ({ page }, testInfo) => {
  const html = await gallery()
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
