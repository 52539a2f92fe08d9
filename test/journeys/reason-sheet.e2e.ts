import { colleagueAt } from '../support/journeys/colleague.ts'
import { expect, logIn, test } from '../support/journeys/journey.ts'
import { readPrinted } from '../support/journeys/printed-codes.ts'

/** As a printer of 300 dots an inch lays them down. */
const DOTS = 300 / 96
/** A page of A4 without its margins. */
test.use({ deviceScaleFactor: DOTS, viewport: { width: 703, height: 1032 } })

test('um leitor lê da folha impressa cada motivo, também o de código mais longo', async ({ page, panel }) => {
  const ask = await colleagueAt(panel)
  const texto = 'Isolante rasgado na entrada da matriz do aplicador lateral'
  const { codigo } = await ask<{ codigo: string }>('POST', '/api/motivos-de-refugo', {
    ...{ texto, etapa: 'crimpagem', tipo: 'defeito' },
  })
  expect(codigo.length, 'as long as a code may be').toBeGreaterThan(35)
  await logIn(page, 'admin')
  await page.goto('/api/motivos-de-refugo/folha')
  await page.emulateMedia({ media: 'print' })
  const printed = await page.locator('li small').allTextContents()
  expect(printed).toEqual(
    expect.arrayContaining([`REF-${codigo}`, 'REF-altura-fora', 'REF-cabo-errado', 'REF-fio-solto']),
  )
  expect(await readPrinted(page, DOTS)).toEqual(printed)
})
