import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/programs.mjs'
import { chartScenes } from './scenes/charts.ts'
import { documentScenes } from './scenes/documents.ts'
import { equipmentScenes } from './scenes/equipment.ts'
import { installScenes } from './scenes/installing.ts'
import { joiningScenes } from './scenes/joining.ts'
import { logScenes } from './scenes/logs.ts'
import { managementScenes } from './scenes/management.ts'
import { manualPictures } from './scenes/manual-pictures.ts'
import { reportScenes } from './scenes/reports.ts'
import type { Scene } from './scenes/scene.ts'
import { traceScenes } from './scenes/traces.ts'
import { userScenes } from './scenes/users.ts'
import { crimpScenes } from './support/crimp-scenes.ts'
import { badge, fillCable, RECORD, saveHere } from './support/journeys/cable.ts'
import { chromiumArgs } from './support/journeys/chromium.ts'
import { BARCODE, expect, logIn, ORDER, openItem, pick, searchFor, section, toast } from './support/journeys/journey.ts'
import { misfitsOf, sizes, textSizes } from './support/journeys/layout.ts'
import { ADMIN, leavePending, startPlant } from './support/journeys/plant.ts'
import { TestServer } from './support/journeys/test-server.ts'
import { startPanel } from './support/panel.ts'
import { root } from './support/tidy/source.ts'

/** `--manual`: of each picture of the manual one, in a window high enough for the whole menu, where the manual looks for it. */
const isForManual = process.argv.includes('--manual')
const themes = isForManual ? (['light'] as const) : (['light', 'dark'] as const)
const viewports = isForManual ? [{ width: 1280, height: 1100 }] : sizes
const folder = join(root, ...(isForManual ? ['docs', 'manual', 'imagens'] : ['screenshots']))

const openList = async (page: Page, opener: string, ready: RegExp) => {
  await page.getByRole('button', { name: opener }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: ready }).first()).toBeVisible()
}
const closeList = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}
const backToList = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
}

/** In the order of a visit: each begins where the one before it ended. No recording reaches the server, so that all visits are alike. */
const scenes: readonly Scene[] = [
  ['login', (page) => page.goto('/').then(() => expect(page.getByLabel('Usuário')).toBeFocused())],
  [
    'login-recusado',
    async (page) => {
      await page.getByRole('button', { name: 'Entrar' }).click()
      await expect(page.getByRole('alert')).toHaveText('Informe usuário e senha')
    },
  ],
  ['busca', (page) => logIn(page)],
  [
    'busca-vazia',
    async (page) => {
      await searchFor(page, '99999999999')
      await expect(page.getByText('Nenhum item encontrado')).toBeVisible()
    },
  ],
  [
    'busca-codigo-de-barras',
    async (page) => {
      await searchFor(page, BARCODE)
      await expect(page.getByRole('button', { name: /Ver detalhes/ })).toHaveCount(1)
    },
  ],
  [
    'busca-ordem',
    async (page) => {
      await searchFor(page, ORDER)
      await expect(page.getByRole('button', { name: 'Ver detalhes do item 000030' })).toBeVisible()
    },
  ],
  [
    'busca-falha',
    async (page) => {
      const calls = '**/api/apontamentos/itens?*'
      const body = { message: 'ERP indisponível. Tente novamente em instantes.', code: 'erp_unavailable' }
      await page.route(calls, (route) => route.fulfill({ status: 503, json: body }))
      await page.getByRole('button', { name: 'Pesquisar' }).click()
      await expect(page.getByRole('alert')).toContainText('ERP indisponível')
      await page.unroute(calls)
    },
  ],
  [
    'item',
    async (page) => {
      await searchFor(page, ORDER)
      await openItem(page)
    },
  ],
  ['maquinas', (page) => openList(page, 'Selecionar máquina do cabo', /KX0001/)],
  [
    'maquinas-sem-resultado',
    async (page) => {
      await page.getByLabel('Filtrar máquinas:').fill('nada disso')
      await expect(page.getByText('Nenhuma máquina encontrada')).toBeVisible()
    },
  ],
  [
    'mini-aplicadores',
    async (page) => {
      await closeList(page)
      await openList(page, 'Selecionar mini aplicador do lado 1', /MA-0001/)
    },
  ],
  [
    'mini-aplicadores-sem-cadastro',
    async (page) => {
      await closeList(page)
      await openList(page, 'Selecionar mini aplicador do lado 2', /Sem Cadastro/)
    },
  ],
  [
    'seladoras',
    async (page) => {
      await closeList(page)
      await openList(page, 'Selecionar seladora do lado 1', /Seladora/)
    },
  ],
  [
    'item-aviso',
    async (page) => {
      await closeList(page)
      await page.getByRole('button', { name: 'Registrar cabo' }).click()
      await expect(toast(page)).toContainText('Erro: Preencha todos os campos obrigatórios')
    },
  ],
  [
    'item-preenchido',
    async (page) => {
      await toast(page).getByRole('button', { name: 'Fechar' }).click()
      await section(page, 'Cabo').getByLabel('Lote').fill('L261121001')
      await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
      await section(page, 'Terminal Lado 1').getByLabel('Lote').fill('B23-004517/2')
    },
  ],
  [
    'item-sem-terminal',
    async (page) => {
      await backToList(page)
      await openItem(page, '000020')
    },
  ],
  [
    'item-completo',
    async (page) => {
      await backToList(page)
      await openItem(page, '000030')
    },
  ],
  [
    'menu',
    async (page) => {
      await backToList(page)
      const toggle = page.getByRole('button', { name: /(Expandir|Mostrar) menu/ })
      if (await toggle.isVisible()) await toggle.click()
      await expect(page.getByRole('navigation', { name: 'Menu principal' })).toBeVisible()
    },
  ],
  ...crimpScenes,
  [
    'pendencias-vazia',
    async (page) => {
      await page.goto('/pages/pendencias')
      await expect(page.getByText('Nada pendente')).toBeVisible()
    },
  ],
  [
    'item-nao-encontrado',
    async (page) => {
      await page.goto('/pages/item-edit')
      await expect(page.getByText('Item não encontrado. Retornando à lista...')).toBeVisible()
    },
  ],
  [
    'item-salvo-no-dispositivo',
    async (page) => {
      await page.route(RECORD, (route) => route.abort())
      await searchFor(page, ORDER)
      await openItem(page)
      await fillCable(page)
      await saveHere(page, 5)
    },
  ],
  [
    'pendencias-neste-dispositivo',
    async (page) => {
      await saveHere(page, 7)
      await badge(page).click()
      await expect(section(page, 'Neste dispositivo').getByRole('listitem')).toHaveCount(2)
    },
  ],
  [
    'pendencias-precisa-de-ajuda',
    async (page) => {
      await page.unroute(RECORD)
      const json = { message: 'Dados inválidos. Verifique os campos.', code: 'input_invalid' }
      await page.route(RECORD, (route) => route.fulfill({ status: 400, json }))
      await page.getByRole('button', { name: 'Enviar agora' }).click()
      await expect(section(page, 'Neste dispositivo').getByText('Precisa de ajuda')).toHaveCount(2)
    },
  ],
  [
    'busca-aguardando-envio',
    async (page) => {
      await page.goto('/pages/apontamento-corte-crimpagem')
      await expect(page.getByText('aguardando envio')).toBeVisible()
    },
  ],
  [
    'login-aguardando-envio',
    async (page) => {
      await page.getByRole('button', { name: 'Sair do sistema' }).click()
      await expect(page.getByText('2 apontamentos aguardam envio')).toBeVisible()
    },
  ],
]

const openPending = async (page: Page) => {
  await page.goto('/pages/pendencias')
  await expect(section(page, 'Aguardando o ERP').getByRole('listitem')).toHaveCount(2)
}
const openPendingDialog = async (page: Page, opener: RegExp) => {
  await page.getByRole('button', { name: opener }).first().click()
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
}

/** As above, in a plant whose ERP is away and where recordings wait. What is recorded stays on the visit's own device. */
const plantScenes: readonly Scene[] = [
  [
    'busca-sem-erp',
    async (page) => {
      await logIn(page, ADMIN)
      await searchFor(page, ORDER)
      await expect(page.getByText('ERP indisponível')).toBeVisible()
    },
  ],
  [
    'item-sem-erp',
    async (page) => {
      await openItem(page)
      await expect(page.getByText('ERP indisponível')).toBeVisible()
    },
  ],
  ['pendencias', openPending],
  ['pendencias-corrigir', (page) => openPendingDialog(page, /^Corrigir e reenviar: Terminal/)],
  [
    'pendencias-corrigir-sem-rede',
    async (page) => {
      await page.route('**/correcao', (route) => route.abort())
      await page.getByRole('dialog').getByRole('button', { name: 'Reenviar' }).click()
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    },
  ],
  [
    'pendencias-entregue',
    async (page) => {
      await closeList(page)
      await openPendingDialog(page, /^Marcar como entregue/)
    },
  ],
  [
    'pendencias-descartar',
    async (page) => {
      await page.keyboard.press('Escape')
      await openPendingDialog(page, /^Descartar/)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }).click()
      await expect(page.getByText('Informe o motivo.')).toBeVisible()
    },
  ],
  [
    'pendencias-falha',
    async (page) => {
      await page.route('**/api/pendencias', (route) => route.abort())
      await page.goto('/pages/pendencias')
      await expect(page.getByRole('alert')).toContainText('Sem conexão')
    },
  ],
]

const heightOf = async (page: Page, heightMax: number) =>
  Math.min(heightMax, (await page.locator('html').boundingBox())?.height ?? heightMax)

type Visit = {
  baseURL: string
  told: readonly Scene[]
  viewport: { width: number; height: number }
  theme: 'light' | 'dark'
}

async function visit(browser: Browser, { baseURL, told, viewport, theme }: Visit) {
  const context = await browser.newContext({
    baseURL,
    viewport,
    colorScheme: theme,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  for (const [name, go] of told) {
    await go(page)
    if (isForManual) {
      const path = join(folder, `${name}.jpeg`)
      if (!manualPictures.includes(name)) continue
      await page.evaluate('scrollTo(0, 0)')
      await page.screenshot({ path, quality: 70, animations: 'disabled' })
      continue
    }
    const isDialog = await page.getByRole('dialog').or(page.getByRole('alertdialog')).isVisible()
    for (const textSize of textSizes) {
      const misfits = await misfitsOf(page, textSize)
      const file = `${name}-${viewport.width}x${viewport.height}-${theme}${textSize === '100' ? '' : `-${textSize}`}.png`
      for (const misfit of misfits) console.log(`${file}: ${misfit}`)
      // Two screens' worth tell how a list goes on.
      const clip = { x: 0, y: 0, width: viewport.width, height: await heightOf(page, 2 * viewport.height) }
      const extent = isDialog ? {} : { fullPage: true, clip }
      await page.screenshot({ path: join(folder, file), animations: 'disabled', ...extent })
    }
    await misfitsOf(page, '100')
  }
  await context.close()
}

/** Named on the command line, only those visits are made: `node test/screenshots.ts gestao`. */
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))

const panel = await startPanel()
const plant = await startPlant(new TestServer())
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs })
try {
  await leavePending(plant)
  const tours = [
    { name: 'apontamento', baseURL: panel.url, told: scenes },
    { name: 'gestao', baseURL: panel.url, told: managementScenes },
    { name: 'graficos', baseURL: panel.url, told: chartScenes },
    { name: 'relatorios', baseURL: panel.url, told: reportScenes },
    { name: 'equipamentos', baseURL: panel.url, told: equipmentScenes },
    { name: 'logs', baseURL: panel.url, told: logScenes },
    { name: 'usuarios', baseURL: panel.url, told: userScenes },
    { name: 'documentos', baseURL: panel.url, told: documentScenes },
    { name: 'instalacao', baseURL: panel.url, told: installScenes },
    { name: 'juncoes', baseURL: panel.url, told: joiningScenes },
    { name: 'planta', baseURL: plant.panel.url, told: plantScenes },
    { name: 'rastreabilidade', baseURL: plant.panel.url, told: traceScenes },
  ].filter(({ name }) => asked.length === 0 || asked.includes(name))
  if (asked.length === 0) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const viewport of viewports) {
    for (const theme of themes) {
      for (const tour of tours) await visit(browser, { ...tour, viewport, theme })
    }
  }
  const count = tours.reduce((sum, { told }) => sum + told.length, 0)
  console.log(`${count * viewports.length * themes.length * (isForManual ? 1 : textSizes.length)} scenes in ${folder}`)
} finally {
  await browser.close()
  await panel.stop()
  await plant.stop()
}
