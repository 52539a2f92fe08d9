import { fillSide1 } from '../support/journeys/cable.ts'
import { expect, logIn, ORDER, openItemOfOrder, searchFor, test } from '../support/journeys/journey.ts'
import { heights, openMeasuring } from '../support/journeys/measuring.ts'

/** What a stranger's eye found, and no other journey holds. */

test.use({ viewport: { width: 1280, height: 800 } })

test('cada leitura de uma medição tem a sua marca na escala da tolerância, e a que está fora é vermelha', async ({
  page,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await openMeasuring(page)
  const typed = ['1,06', '1,1', '1,2']
  for (const [at, reading] of typed.entries()) {
    await heights(dialog)
      .getByLabel(`Leitura ${at + 1}`)
      .fill(reading)
  }
  await dialog.getByLabel('Instrumento').focus()
  const dots = heights(dialog).locator('circle')
  await expect(dots).toHaveCount(typed.length)
  const [low, middle, high] = await dots.evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
    all.map((dot) => ({ at: Number.parseFloat(dot.getAttribute('cx') ?? ''), fill: dot.getAttribute('fill') })),
  )
  expect(low?.at).toBeLessThan(middle?.at ?? 0)
  expect(middle?.at).toBeLessThan(high?.at ?? 0)
  expect([low?.fill, middle?.fill]).toEqual(['var(--color-ok-fill)', 'var(--color-ok-fill)'])
  expect(high?.fill).toBe('var(--color-bad-fill)')
})

test.describe('um tablet', () => {
  test.use({ hasTouch: true })

  test('com texto de 130 % a busca mostra inteiro o primeiro item, e o cliente numa linha', async ({ page }) => {
    await page.addInitScript(`localStorage.setItem('preferences', '{"textSize":"130"}')`)
    await logIn(page)
    await searchFor(page, ORDER)
    await expect(page.getByRole('button', { name: 'Ver detalhes do item 000010' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'mais' }).click()
    await expect(page.getByText('Revisão interna')).toBeVisible()
  })
})
