import type { Page } from '@playwright/test'
import { applicators } from '../../src/contract/applicators.ts'
import type { MachineType } from '../../src/contract/machines.ts'
import { sealingStations } from '../../src/contract/sealing-stations.ts'
import { RECORD } from '../support/journeys/cable.ts'
import { details, fillJunction, logInAt, register } from '../support/journeys/joining.ts'
import {
  BARCODE,
  expect,
  openItemOfOrder,
  pick,
  readingLine,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { type Keyboard, keyboardOf, type Random, randomFrom } from '../support/journeys/scanning.ts'
import { watchSounds } from '../support/journeys/sounds.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { SOON, STEP_MS } from '../support/slowness.ts'

const SCANS = sizeOf('formScans').count
/** Of the same order. */
const OTHER_BARCODE = '010162140100100002000S'
const NOTHING = 'Nada a preencher com este código.'

type Label = {
  code: string
  /** What the line may say of it. */
  line: RegExp
  /** The only field that it may fill, if any; and the parts in which it must where the cursor stands there. */
  field?: string
  fits?: readonly string[]
}

const machine = (code: string, fits: readonly string[]): Label => {
  return { code, field: 'Máquina', fits, line: new RegExp(`^(Máquina: ${code}|${NOTHING})`) }
}
const labels: readonly Label[] = [
  machine('KX0001', ['cabo', 'l1', 'l2']),
  machine('PR0001', ['l1', 'l2']),
  machine('PR0002', ['l1', 'l2']),
  { code: 'US0001', line: /^US0001 não é máquina (do cabo|deste lado)\./ },
  { code: 'MA-0002', field: 'Mini aplicador', fits: ['l1'], line: /^Mini aplicador: MA-0002/ },
  { code: 'MA-0004', line: /^MA-0004 não serve para o terminal (T1326030|T0925590)\./ },
  { code: 'Seladora 01', field: 'Seladora', fits: ['l1'], line: /^Seladora: Seladora 01/ },
  { code: 'T1326030', line: new RegExp(`^${NOTHING}`) },
  // whose it is the line does not say
  { code: 'PIC-000000000', line: /^/ },
  { code: BARCODE, line: /^Confere: item 000010/ },
]

/** A lot goes where the cursor stands in a box of one, else where there is none yet. */
const lotOf = (scan: number): Label => {
  const code = `L26${String(1_000_000 + scan).slice(1)}X`
  return { code, field: 'Lote', line: new RegExp(`^(Lote: ${code}|Lote trocado|${NOTHING})`) }
}

type Place = { part: string; field: string }
const boxes = ['Lote', 'Força', 'Altura', 'Quantidade', 'Máquina']
const places: readonly (Place | 'button' | 'nowhere')[] = [
  { part: 'cabo', field: 'Lote' },
  { part: 'cabo', field: 'Quantidade' },
  ...['l1', 'l2'].flatMap((part) => boxes.map((field) => ({ part, field }))),
  'button',
  'nowhere',
]

type State = {
  fields: Record<string, string>
  line: string
  sounds: number
  strays: string[]
  isBadgeStored: boolean
  /** Section, field and text, as the drafts of this device have them. */
  drafted: [string, string, string][]
}

/** Asked in the page itself: from here each question would take longer than the scan. */
const inPage = `window.strays = []
  document.addEventListener('submit', () => window.strays.push('submit'), true)
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    if (button) window.strays.push(button.textContent)
  }, true)
  const labelOf = (box) => box.closest('[data-part]').dataset.part + ' ' + box.labels[0].textContent.trim()
  const boxesNow = () => [...document.querySelectorAll('[data-part] input')]
  window.goTo = (place) => {
    window.heard.length = 0
    if (place === 'nowhere') return document.activeElement.blur()
    if (place === 'button') return document.querySelector('button[aria-label="Registrar lado 1"]').focus()
    boxesNow().find((box) => labelOf(box).startsWith(place.part + ' ' + place.field)).focus()
  }
  window.stateNow = () => ({
    fields: Object.fromEntries(boxesNow().map((box) => [labelOf(box), box.value])),
    line: document.querySelector('[role=status][aria-label=Leitura]').textContent,
    sounds: window.heard.length,
    strays: window.strays,
    isBadgeStored: Object.values(localStorage).some((text) => text.includes('PIC-')),
    drafted: Object.keys(localStorage).filter((key) => key.startsWith('rascunho')).flatMap((key) => {
      const { form, forms = { form } } = JSON.parse(localStorage[key])
      return Object.entries(forms).flatMap(([section, fields]) =>
        Object.entries(fields).map(([field, text]) => [section, field, String(text)]))
    }),
  })
  // A page that is busy when a scanner's rest ends waits for another one: 120 ms in which it was never late see the end of it.
  window.stateAfterScan = async () => {
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const giveUpAt = performance.now() + 10000
    let quietFrom = performance.now()
    while (performance.now() - quietFrom < 120 || (window.heard.length === 0 && performance.now() < giveUpAt)) {
      const at = performance.now()
      await wait(10)
      if (performance.now() - at > 20) quietFrom = performance.now()
    }
    return window.stateNow()
  }
  null`

const call = <Answer = unknown>(page: Page, name: string, ...of: unknown[]) =>
  page.evaluate<Answer>(`window.${name}(${of.map((one) => JSON.stringify(one)).join()})`)

/** What a scanner sends: with or without a key at its end, and now and then twice. */
function pulls(random: Random, code: string): { keys: string[]; beforeMs: number }[] {
  const keys = [...code, ...random.pick([[], ['Enter'], ['Tab']])]
  // the same code within 2 s would be the same scan as the one before
  const first = { keys, beforeMs: 2200 }
  return random.chance(0.25) ? [first, { keys, beforeMs: random.pick([5, 300]) }] : [first]
}

/** 'Registrar' of the cable, and the ERP refuses its lot: the next lots are the cable's, wherever the cursor stands. */
async function refuseCable(page: Page): Promise<void> {
  const press = 'document.querySelector(\'button[aria-label="Registrar cabo"]\').click()'
  // a press within a second of the one before is taken for a finger that bounces
  await expect(async () => {
    await page.evaluate(press)
    const line = readingLine(page)
    await expect(line).toHaveText('Lote bloqueado: leia outro lote do cabo', { timeout: STEP_MS })
  }).toPass(SOON)
  await page.evaluate('window.strays.length = 0')
}

/** Refuses now and then, and lets a person end it with a tap on a box. Whether a refusal stands then. */
async function maybeRefuse(page: Page, random: Random, { fields }: State, isRefused: boolean): Promise<boolean> {
  if (isRefused && random.chance(0.2)) {
    await section(page, 'Terminal Lado 1').getByLabel('Quantidade de peças').click()
    return false
  }
  const isWhole = Object.entries(fields).every(([name, value]) => !/^cabo (Lote|Máquina)/.test(name) || value !== '')
  if (isRefused || !isWhole || !random.chance(0.3)) return isRefused
  await refuseCable(page)
  return true
}

/** What is wrong in the form after a scan; nothing, if all is well. */
function faultsOf(label: Label, place: (typeof places)[number], before: State, after: State): string[] {
  const { code, line, field, fits = [] } = label
  const faults: string[] = []
  if (after.sounds === 0) faults.push('silent')
  if (!line.test(after.line)) faults.push(`the line says "${after.line}"`)
  if (after.strays.length > 0) faults.push(`pressed ${after.strays.join()}`)
  if (after.isBadgeStored) faults.push('a badge is stored')
  const changed = Object.entries(after.fields).filter(([name, value]) => before.fields[name] !== value)
  for (const [name, value] of changed) {
    const isRight =
      field !== undefined && name.split(' ').slice(1).join(' ').startsWith(field) && value.startsWith(code)
    if (!isRight) faults.push(`${name} was "${before.fields[name]}" and is "${value}"`)
  }
  if (changed.length > 1) faults.push('more than one field')
  if (typeof place === 'object') {
    const isAimed = fits.includes(place.part) || (field === 'Lote' && place.field === 'Lote')
    const target = Object.entries(after.fields).find(([name]) => name.startsWith(`${place.part} ${field}`))
    if (isAimed && !target?.[1].startsWith(code)) faults.push(`${place.part} ${field} is "${target?.[1]}"`)
  }
  return faults
}

/** Before, the form asks whether what it does not know is the lot. */
const untilListsAreKnown = (page: Page, keyboard: Keyboard): Promise<void> =>
  expect(async () => {
    await call(page, 'goTo', 'nowhere')
    await keyboard.type([...'L260000000X'], () => 5, 2200)
    expect((await call<State>(page, 'stateAfterScan')).line).toMatch(/^Lote: L260000000X/)
  }).toPass(SOON)

test(`${SCANS} leituras no formulário, entre recusas: nenhuma muda, nenhuma aperta um botão, nenhuma no campo errado`, {
  tag: '@promise',
}, async ({ page, tolerate }) => {
  tolerate(/422/)
  await page.route(RECORD, (route) =>
    route.fulfill({ status: 422, json: { message: 'Lote bloqueado', code: 'erp_refused' } }),
  )
  const random = randomFrom(20261122)
  await watchSounds(page)
  await openItemOfOrder(page)
  await expect(section(page, 'Terminal Lado 2')).toBeVisible()
  await page.evaluate(inPage)
  const keyboard = keyboardOf(await page.context().newCDPSession(page))
  await untilListsAreKnown(page, keyboard)
  let before = await call<State>(page, 'stateNow')
  let turn = 0
  let isRefused = false
  for (let scan = 0; scan < SCANS; scan++) {
    isRefused = await maybeRefuse(page, random, before, isRefused)
    before = await call<State>(page, 'stateNow')
    const place = random.pick(places)
    // each of them in turn: the smallest run has them all
    const label = random.chance(0.4) ? lotOf(scan) : labels[turn++ % labels.length]
    if (!label) throw new Error('There are no labels')
    const gapMs = random.pick([5, 20, 50])
    await call(page, 'goTo', place)
    for (const { keys, beforeMs } of pulls(random, label.code)) await keyboard.type(keys, () => gapMs, beforeMs)
    const after = await call<State>(page, 'stateAfterScan')
    const what = `scan ${scan}, ${label.code} at ${gapMs} ms, cursor at ${JSON.stringify(place)}, refused: ${isRefused}`
    const aim = isRefused && label.field === 'Lote' ? { part: 'cabo', field: 'Lote' } : place
    expect(faultsOf(label, aim, before, after), what).toEqual([])
    before = after
  }
})

const FIRST_SCANS = sizeOf('firstScans').count
/** A label, and the box on screen and the field of a draft that it may fill. */
const firstLabels: readonly { code: string; box?: string; field?: string }[] = [
  ...['KX0001', 'PR0001', 'US0001'].map((code) => ({ code, box: 'Máquina', field: 'machine' })),
  { code: 'MA-0002', box: 'Mini aplicador', field: 'applicator' },
  { code: 'Seladora 01', box: 'Seladora', field: 'station' },
  ...['PAQ-01', 'PIC-000000000', BARCODE, OTHER_BARCODE].map((code) => ({ code })),
]
const states = ['untouched', 'typed', 'carried', 'restored'] as const

/** Where a code stands, on screen and in drafts, that may not stand there. */
function straysOf({ code, box, field }: (typeof firstLabels)[number], { fields, drafted }: State): string[] {
  const holds = (text: string) => text.toUpperCase().includes(code.toUpperCase())
  const onScreen = Object.entries(fields).filter(([at, text]) => holds(text) && !(box && at.includes(box)))
  const inDrafts = drafted.filter(([, name, text]) => holds(text) && name !== field)
  return [...onScreen, ...inDrafts].map((stray) => stray.join(' '))
}

const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'
const store = (device: string) => `{
  const [local, tab] = ${device}
  for (const [storage, texts] of [[localStorage, local], [sessionStorage, tab]]) {
    storage.clear()
    Object.assign(storage, texts)
  }
}`

type FirstScans = {
  page: Page
  /** Of the machines that its form reads last. */
  lastType: MachineType
  parts: readonly string[]
  /** Registers in the first of the parts, which leaves something for the next recording. */
  record: () => Promise<void>
}

/** Nothing on screen says so before the first scan. */
async function untilListsAreRead(page: Page, lastType: MachineType): Promise<void> {
  const names = "performance.getEntriesByType('resource').map(({ name }) => name).join('\\n')"
  const read = () => page.evaluate<string>(names)
  for (const one of [applicators.list.path, sealingStations.list.path, `tipo=${lastType}`])
    await expect.poll(read).toContain(one)
}

async function scanFirst({ page, lastType, parts, record }: FirstScans): Promise<void> {
  const random = randomFrom(20261126)
  const keyboard = keyboardOf(await page.context().newCDPSession(page))
  const address = page.url()
  const untouched = await page.evaluate<string>(stored)
  const lot = page.locator(`[data-part="${parts[0]}"]`).getByLabel('Lote', { exact: true })
  const open = async () => {
    await page.goto(address)
    await expect(lot).toBeVisible()
    await untilListsAreRead(page, lastType)
    await page.evaluate(inPage)
  }
  for (let scan = 0; scan < FIRST_SCANS; scan++) {
    const state = states[scan % states.length] as (typeof states)[number]
    const label = firstLabels[scan % firstLabels.length] as (typeof firstLabels)[number]
    const part = state === 'untouched' ? random.pick(parts) : (parts[0] as string)
    const gapMs = random.pick([5, 20, 50])
    await page.evaluate(store(untouched))
    await open()
    if (state === 'carried') await record()
    if (state === 'typed' || state === 'restored') await lot.fill('L261126777')
    if (state === 'restored') await open()
    await call(page, 'goTo', { part, field: 'Lote' })
    await keyboard.type([...label.code, 'Enter'], () => gapMs, 2200)
    await call(page, 'stateAfterScan')
    const what = `${label.code} read first at ${gapMs} ms into the lot of ${part}, ${state}`
    // an instrument that is read before the list of them is there leaves the lot when it comes
    await expect(async () => {
      const after = await call<State>(page, 'stateNow')
      expect([...straysOf(label, after), after.isBadgeStored], what).toEqual([false])
    }).toPass(SOON)
  }
}

test('a primeira leitura de um item não fica onde foi digitada', { tag: '@promise' }, async ({ page }) => {
  await watchSounds(page)
  await openItemOfOrder(page)
  await scanFirst({
    page,
    lastType: 'terminal-l2',
    parts: ['cabo', 'l1', 'l2'],
    record: async () => {
      const cable = section(page, 'Cabo')
      await cable.getByLabel('Lote').fill('L261126778')
      await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0002/)
      await cable.getByLabel('Quantidade de peças').fill('1')
      await cable.getByRole('button', { name: 'Registrar cabo' }).click()
      await expect(toast(page)).toContainText('Sucesso')
    },
  })
})

test('a primeira leitura de uma junção não fica onde foi digitada', { tag: '@promise' }, async ({ page }) => {
  await watchSounds(page)
  await logInAt(page, details('J01'))
  await scanFirst({
    page,
    lastType: 'juncao',
    parts: ['form'],
    record: async () => {
      await fillJunction(page, 1)
      await register(page).click()
      await expect(toast(page)).toContainText('Apontamento de junção registrado com sucesso!')
    },
  })
})

test('uma máquina lida antes de a lista chegar sai do lote quando ela chega', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/maquinas?*', async (route) => {
    await released
    await route.continue()
  })
  const cable = section(page, 'Cabo')
  const side1 = section(page, 'Terminal Lado 1')
  await openItemOfOrder(page)
  await expect(cable.getByLabel('Lote')).toBeFocused()
  await scan(page, 'KX0001')
  await expect(readingLine(page)).toHaveText('Lote: KX0001 · Cabo')
  await side1.getByLabel('Lote').focus()
  await scan(page, 'PR0001')
  await scan(page, 'B23-000001')
  await expect(readingLine(page)).toHaveText('Lote trocado (antes PR0001) · Lado 1')
  release()
  await expect(cable.getByLabel('Lote')).toHaveValue('')
  await expect(cable.getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0001/)
  await expect(side1.getByLabel('Máquina', { exact: true })).toHaveValue(/^PR0001/)
  await expect(side1.getByLabel('Lote')).toHaveValue('B23-000001')
})

/** Reads a lot twice, first where it is refused, quicker than a hand could move from one box to the other. */
const readTwice = `{
  const read = (code) => {
    for (const key of [...code, 'Enter'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return document.querySelector('[role=status][aria-label="Leitura"]').textContent
  }
  const box = (name) =>
    [...document.querySelectorAll('section[aria-label="Cabo"] label')].find((one) => one.textContent === name).control
  box('Quantidade de peças').focus()
  const refused = read('L2611000009')
  box('Lote').focus()
  window.said = [refused, read('L2611000009')]
}`

test('uma etiqueta recusada vale outra vez no lugar certo, por mais cedo que seja', async ({ page }) => {
  await openItemOfOrder(page)
  for (const title of ['Cabo', 'Terminal Lado 1', 'Terminal Lado 2']) {
    await section(page, title).getByLabel('Lote').fill(`L ${title}`)
  }
  await page.evaluate(readTwice)
  expect(await page.evaluate('said')).toEqual([NOTHING, 'Lote trocado (antes L Cabo) · Cabo'])
})
