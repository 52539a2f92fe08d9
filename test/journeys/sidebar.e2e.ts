import type { Page } from '@playwright/test'
import { expect, logIn, test } from '../support/journeys/journey.ts'

test.use({ reducedMotion: 'no-preference' })

type Shown = 'expanded' | 'compacted' | 'collapsed'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu principal' })
const widthsPx = { expanded: 280, compacted: 70 }
const tips: Record<Shown, string> = {
  expanded: 'Recolher menu (Ctrl+B)',
  compacted: 'Expandir menu (Ctrl+B)',
  collapsed: 'Mostrar menu (Ctrl+B)',
}

async function expectShown(page: Page, shown: Shown, hasOverlay = false): Promise<void> {
  await expect(page.getByRole('button', { name: tips[shown] })).toBeVisible()
  if (shown === 'collapsed') await expect(menu(page)).toBeHidden()
  else await expect.poll(async () => (await menu(page).boundingBox())?.width).toBe(widthsPx[shown])
  await expect(page.getByRole('button', { name: 'Fechar menu' })).toHaveCount(hasOverlay ? 1 : 0)
  // Links of the compact menu say where they lead by their tooltip.
  if (shown === 'compacted') await expect(menu(page).getByTitle('Conferência de Corte')).toBeVisible()
  if (shown === 'expanded') await expect(menu(page)).toContainText('v2.0 - Painel Industrial')
}

const storedState = (page: Page) => page.evaluate(() => localStorage.getItem('sidebar-state'))
const toggle = (page: Page) => page.getByRole('button', { name: /\(Ctrl\+B\)$/ }).click()
const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 800 })

type Step = [act: 'start' | 'toggle' | 'Ctrl+B' | 'overlay' | number, shown: Shown, overlay?: 'overlay']

/** Width of the window, what is stored, and what each act shows. A number resizes. */
const transitions: { widthPx: number; stored: string | null; steps: Step[] }[] = [
  {
    widthPx: 767,
    stored: null,
    steps: [
      ['start', 'collapsed'],
      ['toggle', 'expanded', 'overlay'],
      ['overlay', 'collapsed'],
      ['Ctrl+B', 'expanded', 'overlay'],
      ['Ctrl+B', 'collapsed'],
    ],
  },
  { widthPx: 767, stored: 'expanded', steps: [['start', 'collapsed']] },
  { widthPx: 767, stored: 'compacted', steps: [['start', 'collapsed']] },
  {
    widthPx: 768,
    stored: null,
    steps: [
      ['start', 'compacted'],
      ['toggle', 'expanded'],
      ['toggle', 'compacted'],
      ['Ctrl+B', 'expanded'],
    ],
  },
  { widthPx: 768, stored: 'expanded', steps: [['start', 'compacted']] },
  {
    widthPx: 1199,
    stored: 'collapsed',
    steps: [
      ['start', 'compacted'],
      ['toggle', 'expanded'],
    ],
  },
  { widthPx: 1199, stored: 'nonsense', steps: [['start', 'compacted']] },
  {
    widthPx: 1200,
    stored: null,
    steps: [
      ['start', 'expanded'],
      ['toggle', 'compacted'],
      ['Ctrl+B', 'expanded'],
    ],
  },
  {
    widthPx: 1200,
    stored: 'compacted',
    steps: [
      ['start', 'compacted'],
      ['toggle', 'expanded'],
    ],
  },
  { widthPx: 1200, stored: 'collapsed', steps: [['start', 'expanded']] },
  { widthPx: 1200, stored: 'nonsense', steps: [['start', 'expanded']] },
  {
    widthPx: 1366,
    stored: 'expanded',
    steps: [
      ['start', 'expanded'],
      [1199, 'compacted'],
      [767, 'collapsed'],
      [1199, 'compacted'],
      [1366, 'compacted'],
    ],
  },
  {
    widthPx: 390,
    stored: null,
    steps: [
      ['start', 'collapsed'],
      [1366, 'expanded'],
      [390, 'collapsed'],
      ['toggle', 'expanded', 'overlay'],
      [767, 'collapsed'],
      [1200, 'expanded'],
    ],
  },
]

test('o menu passa por cada estado nas larguras em que muda, e o dispositivo o guarda', async ({ page }) => {
  test.slow()
  await logIn(page)
  for (const { widthPx, stored, steps } of transitions) {
    await resize(page, widthPx)
    // of this origin, and no screen that would keep something of its own
    await page.goto('/licencas.txt')
    await page.evaluate((state) => {
      if (state === null) localStorage.removeItem('sidebar-state')
      else localStorage.setItem('sidebar-state', state)
    }, stored)
    await page.goto('/pages/dashboard')
    for (const [act, shown, overlay] of steps) {
      await test.step(`${widthPx} px, guardado ${stored}: ${act} -> ${shown}`, async () => {
        if (act === 'toggle') await toggle(page)
        else if (act === 'Ctrl+B') await page.keyboard.press('Control+b')
        else if (act === 'overlay')
          await page.getByRole('button', { name: 'Fechar menu' }).click({ position: { x: 500, y: 300 } })
        else if (typeof act === 'number') await resize(page, act)
        await expectShown(page, shown, overlay === 'overlay')
      })
    }
  }
  await resize(page, 1366)
  await expectShown(page, 'expanded')
  await toggle(page)
  expect(await storedState(page)).toBe('compacted')
  await page.reload()
  await expectShown(page, 'compacted')
})

test('texto maior em tela de até 1400 px recolhe o menu, que se abre ao lado do conteúdo', async ({ page }) => {
  await resize(page, 1366)
  await page.addInitScript(`localStorage.setItem('preferences', '{"textSize":"115"}')`)
  await logIn(page)
  await expectShown(page, 'compacted')
  await toggle(page)
  await expectShown(page, 'expanded')
})

test.describe('com luvas', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1280, height: 720 } })

  test('as linhas do menu têm 44 px e o lugar atual fica à vista', async ({ page }) => {
    await logIn(page, 'operador', '/pages/configuracoes')
    const here = menu(page).getByRole('link', { name: 'Configurações' })
    await expect(here).toHaveAttribute('aria-current', 'page')
    await expect(here).toBeInViewport({ ratio: 1 })
    expect((await here.boundingBox())?.height).toBe(44)
    await expect(menu(page).getByRole('link', { name: 'Dashboard' })).not.toBeInViewport({ ratio: 1 })
  })

  test('abaixo de 1400 px o menu é de ícones, e um dedo parado num deles lê o seu nome', async ({ page }) => {
    await logIn(page)
    await expectShown(page, 'compacted')
    const documents = menu(page).getByRole('link', { name: 'Documentos' })
    const name = documents.getByText('Documentos')
    expect((await name.boundingBox())?.width).toBeLessThan(2)
    await documents.hover()
    await page.mouse.down()
    await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(60)
    await page.mouse.move(640, 400)
    await page.mouse.up()
    await toggle(page)
    await expectShown(page, 'expanded')
  })
})
