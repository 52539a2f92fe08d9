import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { BrowserContext, Page, Route } from '@playwright/test'
import { ALIVE_EVENT } from '../../src/contract/live-changes.ts'
import { NO_NETWORK } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { test, testOnEach } from '../support/journeys/databases.ts'
import { expect, logIn } from '../support/journeys/journey.ts'
import type { Panel } from '../support/panel.ts'
import { LONG } from '../support/slowness.ts'

const EVENTS = '**/api/eventos'
const add = (terminal: string) => ({ terminal, miniaplicator: 'MA-9001' })

const openList = async (page: Page) => {
  await logIn(page, 'operador', '/pages/mini-aplicadores')
  await expect(page.getByText(/^\d+ registros$/)).toBeVisible()
}
const rowOf = (page: Page, text: string) => page.getByRole('row', { name: text })

const streamsOf = (context: BrowserContext) => {
  const open = new Set<unknown>()
  let opened = 0
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/eventos')) return
    open.add(request)
    opened++
  })
  context.on('requestfinished', (request) => open.delete(request))
  context.on('requestfailed', (request) => open.delete(request))
  return { open: () => open.size, opened: () => opened }
}

testOnEach('o que muda num dispositivo aparece no outro', async ({ page, browser, panel }) => {
  await openList(page)
  const other = await browser.newPage({ baseURL: panel.url })
  await openList(other)
  await other.getByRole('button', { name: 'Adicionar' }).click()
  await other.getByRole('dialog').getByLabel('Terminal').fill('ZZ-80')
  await other.getByRole('dialog').getByLabel('Miniaplicador').fill('MA-9001')
  await other.keyboard.press('Enter')
  await expect(rowOf(page, 'ZZ-80')).toBeVisible()
  await other.getByRole('button', { name: 'Excluir ZZ-80 - MA-9001' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(rowOf(page, 'ZZ-80')).toHaveCount(0)
  await other.close()
})

test('uma página que se abre lê uma vez, e mostra o que mudou antes de o canal estar aberto', async ({
  page,
  panel,
}) => {
  const colleague = await colleagueAt(panel)
  await logIn(page)
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/miniaplicadores')) reads.push(request.method())
  })
  /** The stream opens when what this gives is called. */
  const holdStream = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const goOn = async (route: Route) => {
      await promise
      await route.continue()
    }
    await page.route(EVENTS, goOn, { times: 1 })
    return resolve
  }
  const openFirst = await holdStream()
  const opened = page.waitForResponse(EVENTS)
  await page.goto('/pages/mini-aplicadores')
  await expect(page.getByText(/^\d+ registros$/)).toBeVisible()
  openFirst()
  await opened
  await colleague('POST', '/api/miniaplicadores', add('ZZ-87'))
  await expect(rowOf(page, 'ZZ-87')).toBeVisible()
  expect(reads, 'its own, and that of the change').toEqual(['GET', 'GET'])

  const openAgain = await holdStream()
  await page.reload()
  await expect(page.getByText(/^\d+ registros$/)).toBeVisible()
  await colleague('POST', '/api/miniaplicadores', add('ZZ-88'))
  openAgain()
  await expect(rowOf(page, 'ZZ-88')).toBeVisible()
  expect(reads).toEqual(['GET', 'GET', 'GET', 'GET'])
})

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
    document.dispatchEvent(new Event('visibilitychange'))
  `)

test('cada aba à vista tem o seu canal; a escondida o devolve, e mostra o que mudou quando se olha de novo', async ({
  page,
  context,
  panel,
}) => {
  const streams = streamsOf(context)
  const colleague = await colleagueAt(panel)
  await openList(page)
  const second = await context.newPage()
  await second.clock.install()
  await second.goto('/pages/mini-aplicadores')
  await expect(second.getByText(/^\d+ registros$/)).toBeVisible()
  await expect.poll(streams.open).toBe(2)

  await setHidden(second, true)
  await second.clock.fastForward(20_000)
  await expect.poll(streams.open).toBe(1)
  await colleague('POST', '/api/miniaplicadores', add('ZZ-81'))
  await expect(rowOf(page, 'ZZ-81')).toBeVisible()
  await expect(rowOf(second, 'ZZ-81')).toHaveCount(0)

  await setHidden(second, false)
  await expect(rowOf(second, 'ZZ-81')).toBeVisible()
  await expect.poll(streams.open).toBe(2)
})

test('o histórico de crimpagens só se lê de novo quando alguém altera um contador', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await logIn(page)
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/crimpagens/history')) reads++
  })
  await page.goto('/pages/controle-crimpagens')
  await expect(rowOf(page, 'MA-0001')).toBeVisible()
  await colleague('POST', '/api/miniaplicadores', { terminal: 'ZZ-85', miniaplicator: 'MA-9085' })
  await expect(rowOf(page, 'MA-9085')).toBeVisible()
  expect(reads).toBe(1)
  await colleague('PUT', '/api/crimpagens/MA-9085/limit', { miniaplicator: 'MA-9085', limitOfCrimps: 5 })
  await page.getByRole('tab', { name: 'Histórico de alterações' }).click()
  await expect(rowOf(page, 'MA-9085')).toBeVisible()
})

test('sem canal a lista se lê de novo a cada 30 s', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  const colleague = await colleagueAt(panel)
  await page.route(EVENTS, (route) => route.abort())
  await page.clock.install()
  await openList(page)
  await colleague('POST', '/api/miniaplicadores', add('ZZ-83'))
  await page.clock.runFor(25_000)
  await expect(rowOf(page, 'ZZ-83')).toHaveCount(0)
  await page.clock.runFor(6000)
  await expect(rowOf(page, 'ZZ-83')).toBeVisible()
})

test('quando o canal volta, o que mudou sem ele se lê de uma vez', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  tolerate(/503/)
  const colleague = await colleagueAt(panel)
  await openList(page)
  await page.route('**/api/miniaplicadores', (route) => route.abort())
  await panel.kill()
  await panel.restart()
  await colleague('POST', '/api/miniaplicadores', add('ZZ-84'))
  await page.unroute('**/api/miniaplicadores')
  await expect(rowOf(page, 'ZZ-84')).toBeVisible(LONG)
})

/** Which bytes of the server's go on. */
type Treatment = (bytes: Buffer, isOfStream: boolean) => Buffer

/** A network in front of the panel that can break: calls are refused, while an open stream just carries nothing any more. */
async function startBreakable(panel: Panel) {
  let isBroken = false
  const sockets = new Set<Socket>()
  const streams = new Set<Socket>()
  let treat: Treatment = (bytes) => bytes
  const server = createServer((client) => {
    if (isBroken) return void client.destroy()
    const upstream = connect(Number(new URL(panel.url).port), '127.0.0.1')
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('error', () => from.destroy())
      from.on('data', (bytes: Buffer) => {
        if (bytes.includes('GET /api/eventos')) for (const end of [from, to]) streams.add(end)
        const passed = from === upstream ? treat(bytes, streams.has(from)) : bytes
        if (!isBroken) to.write(passed)
      })
      from.once('close', () => to.destroy())
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = (spared: ReadonlySet<Socket>) => {
    for (const socket of sockets) if (!spared.has(socket)) socket.destroy()
  }
  const silenceStreams = () => {
    for (const stream of streams) stream.removeAllListeners('data').resume()
    streams.clear()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break: () => {
      isBroken = true
      destroyAll(streams)
    },
    mend: () => {
      silenceStreams()
      isBroken = false
    },
    /** Those that are open now; all else goes on. */
    silenceStreams,
    treat: (how: Treatment) => {
      treat = how
    },
    close: () => {
      destroyAll(new Set())
      server.close()
    },
  }
}

test('um canal que morreu sem aviso se abre de novo quando o servidor volta a responder', async ({
  browser,
  panel,
}) => {
  const network = await startBreakable(panel)
  const colleague = await colleagueAt(panel)
  const page = await browser.newPage({ baseURL: network.url })
  await page.clock.install()
  await openList(page)
  network.break()
  await page.clock.runFor(10_000)
  await expect(page.getByRole('img', { name: 'API: Offline' })).toBeVisible()
  await colleague('POST', '/api/miniaplicadores', add('ZZ-85'))
  network.mend()
  await page.clock.runFor(10_000)
  await expect(rowOf(page, 'ZZ-85')).toBeVisible()
  await page.close()
  network.close()
})

const slowed = (page: Page) => page.getByText('Sem atualização ao vivo — a tela se atualiza a cada 30 s')

test('um canal que só se cala, com o servidor respondendo o tempo todo, se abre de novo em um minuto', async ({
  browser,
  panel,
}) => {
  const network = await startBreakable(panel)
  const colleague = await colleagueAt(panel)
  const page = await browser.newPage({ baseURL: network.url })
  await page.clock.install()
  await openList(page)
  await page.clock.runFor(2000)
  await colleague('POST', '/api/miniaplicadores', add('ZZ-86'))
  await expect(rowOf(page, 'ZZ-86')).toBeVisible()
  network.silenceStreams()
  await colleague('POST', '/api/miniaplicadores', add('ZZ-87'))
  await page.clock.runFor(30_000)
  await expect(rowOf(page, 'ZZ-87')).toHaveCount(0)
  await page.clock.runFor(15_000)
  await expect(rowOf(page, 'ZZ-87')).toBeVisible()
  await expect(slowed(page)).toBeHidden()
  await page.close()
  network.close()
})

const HEAD_END = '\r\n\r\n'
/** What antivirus programs, gateways and proxies do with a stream. */
const treatments: Record<string, Treatment> = {
  'the head passes, the rest is held': (bytes, isOfStream) =>
    isOfStream ? bytes.subarray(0, bytes.includes('HTTP/1.1') ? bytes.indexOf(HEAD_END) + HEAD_END.length : 0) : bytes,
  'all is held until its end, which never comes': (bytes, isOfStream) => (isOfStream ? bytes.subarray(0, 0) : bytes),
  'a page of its own is put in its place': (bytes, isOfStream) =>
    isOfStream && bytes.includes('HTTP/1.1')
      ? Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\nconnection: close\r\n\r\naviso')
      : bytes.subarray(0, isOfStream ? 0 : undefined),
  'its first word passes each time, the rest is held': (bytes, isOfStream) =>
    isOfStream && !bytes.includes('HTTP/1.1') && !bytes.includes(`:\n\nevent: ${ALIVE_EVENT}`)
      ? bytes.subarray(0, 0)
      : bytes,
  'a gateway gives it up': (bytes, isOfStream) =>
    isOfStream && bytes.includes('HTTP/1.1')
      ? Buffer.from('HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      : bytes.subarray(0, isOfStream ? 0 : undefined),
  'it is ended again and again before its first word': (bytes, isOfStream) =>
    isOfStream && bytes.includes('HTTP/1.1')
      ? Buffer.from(
          'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 2\r\nconnection: close\r\n\r\n:\n',
        )
      : bytes.subarray(0, isOfStream ? 0 : undefined),
}

test('um canal que um proxy segura desde o começo é dito, e a página lê de uma vez e depois a cada 30 s', async ({
  browser,
  panel,
}) => {
  const network = await startBreakable(panel)
  const colleague = await colleagueAt(panel)
  for (const [number, [how, treatment]] of Object.entries(treatments).entries()) {
    let isAnswered = false
    network.treat((bytes, isOfStream) => {
      isAnswered ||= isOfStream
      return treatment(bytes, isOfStream)
    })
    const page = await browser.newPage({ baseURL: network.url })
    await page.clock.install()
    await openList(page)
    await page.clock.runFor(2000)
    await expect.poll(() => isAnswered, how).toBe(true)
    await page.clock.runFor(1000)
    await page.clock.fastForward(41_000)
    await colleague('POST', '/api/miniaplicadores', add(`ZZ-9${number}`))
    await page.clock.fastForward(6000)
    await expect(slowed(page), how).toBeVisible()
    await expect(rowOf(page, `ZZ-9${number}`), how).toBeVisible()
    await colleague('POST', '/api/miniaplicadores', add(`ZZ-8${number}`))
    await page.clock.fastForward(30_000)
    await expect(rowOf(page, `ZZ-8${number}`), how).toBeVisible()
    await page.getByRole('button', { name: /^Situação do sistema/ }).click()
    await expect(page.getByRole('dialog')).toContainText('Atualização ao vivo: parada')
    await page.keyboard.press('Escape')
    await expect(slowed(page), how).toBeVisible()
    // once is enough: only its second sign of life, 15 s later, is believed
    if (number === 0) {
      network.treat((bytes) => bytes)
      await page.clock.fastForward(120_000)
      await expect(slowed(page), how).toBeHidden()
    }
    await page.close()
  }
  network.close()
})

test('o canal de um servidor da versão anterior, que não dá sinal de vida, não se julga', async ({
  browser,
  panel,
}) => {
  const network = await startBreakable(panel)
  const before: Treatment = (bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('x-painel-vivo', 'x-outra-coisa'), 'latin1')
  network.treat((bytes, isOfStream) =>
    isOfStream && !bytes.includes('HTTP/1.1') ? bytes.subarray(0, 0) : before(bytes, false),
  )
  const page = await browser.newPage({ baseURL: network.url })
  const streams = streamsOf(page.context())
  await page.clock.install()
  await openList(page)
  for (let minutes = 0; minutes < 2; minutes++) {
    await page.clock.runFor(2000)
    await page.clock.fastForward(58_000)
  }
  await expect(slowed(page)).toBeHidden()
  expect(streams.opened()).toBe(1)
  await page.close()
  network.close()
})

test('quem sai fecha o canal', async ({ page, context }) => {
  const streams = streamsOf(context)
  await openList(page)
  await expect.poll(streams.open).toBe(1)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect.poll(streams.open).toBe(0)
  await logIn(page, 'admin')
  await expect.poll(streams.open).toBe(1)
})
