import type { Page } from '@playwright/test'
import { fillCable, piecesAtErp } from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, PIECES, pick, queryPanel, section, test } from '../support/journeys/journey.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { LONG } from '../support/slowness.ts'

test.use({ reducedMotion: 'no-preference' })

// the presses fall into an answer that is on its way, as at a plant
test.use({ erpSpeed: 1 })

const FIRES = sizeOf('doubleFires').count

async function fillSide(page: Page, side: 1 | 2, terminal: string, applicator: RegExp): Promise<void> {
  await section(page, `Terminal Lado ${side}`).getByLabel('Lote').fill(`B23-004517/${side}`)
  const title = `Selecionar Mini Aplicador - Terminal ${terminal}`
  await pick(page, `Selecionar mini aplicador do lado ${side}`, title, applicator)
  await pick(page, `Selecionar máquina do lado ${side}`, `Selecionar Máquina - Terminal Lado ${side}`, /PR0001/)
}

/**
 * Two presses on 'Registrar', up to 500 ms apart, and one more as soon as it can be pressed again; the three parts in
 * turn, and in the page itself, where nothing slows the presses down. A pair that both fell into the second after a recording is pressed again.
 */
const fireTwice = `async (fires) => {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const untilFree = async (button) => {
    while (button.getAttribute('aria-disabled') === 'true') await wait(5)
    await wait(0)
  }
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const parts = [['Cabo', 'Registrar cabo'], ['Terminal Lado 1', 'Registrar lado 1'], ['Terminal Lado 2', 'Registrar lado 2']]
  for (let fire = 0; fire < fires; fire++) {
    const [title, name] = parts[fire % 3]
    const part = document.querySelector('section[aria-label="' + title + '"]')
    const field = [...part.querySelectorAll('label')].find((label) => label.textContent === 'Quantidade de peças').control
    const left = field.value
    setValue.call(field, '1')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await wait(0)
    const button = document.querySelector('button[aria-label="' + name + '"]')
    const gapMs = (fire * 137) % 501
    while (field.value === '1' && left !== '1') {
      if (button.disabled) throw new Error(name + ' is full before its time')
      button.click()
      await wait(gapMs)
      button.click()
      await untilFree(button)
      button.click()
      await untilFree(button)
    }
  }
}`

test(`${FIRES} toques duplos são ${FIRES} apontamentos`, { tag: '@promise' }, async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await fillSide(page, 1, 'T1326030', /MA-0001/)
  await fillSide(page, 2, 'T0925590', /Sem Cadastro/)
  await page.evaluate(`(${fireTwice})(${FIRES})`)
  await expect(section(page, 'Cabo')).toContainText(`Restam ${PIECES - FIRES / 3} peças`)
  const counts = 'select part, count(*) as count, sum(pieces) as pieces from recordings group by part order by part'
  expect(queryPanel(panel, counts)).toEqual(
    ['cabo', 'l1', 'l2'].map((part) => ({ part, count: FIRES / 3, pieces: FIRES / 3 })),
  )
  await expect.poll(() => piecesAtErp(panel), LONG).toBe(FIRES / 3)
})
