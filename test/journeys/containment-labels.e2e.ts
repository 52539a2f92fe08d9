import { expect, logIn, queryPanel, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { readPrinted } from '../support/journeys/printed-codes.ts'

test.use({ deviceScaleFactor: 2 })

type Frame = { scrollWidth: number; clientWidth: number }

test('etiquetas de uma contenção: um leitor lê na imagem o número e o código de barras de cada uma', async ({
  page,
  panel,
}) => {
  await logIn(page, 'admin')
  const [row] = queryPanel<{ id: number; containment: string; number: number; barcode: string }>(
    panel,
    `select r.id, c.id as containment, c.number, a.barcode from containment_rows r
     join containments c on c.id = r.containment_id join main.recordings a on a.id = r.recording_id where c.state = 'aberta'`,
  )
  const labels = await page.context().newPage()
  await labels.goto(`/api/contencoes/${row?.containment}/etiquetas?linha=${row?.id}&copias=2`)
  await expect(labels.getByRole('heading', { name: 'SUSPEITO - NÃO USAR' })).toHaveCount(2)
  const codes = [`C-${String(row?.number).padStart(6, '0')}`, row?.barcode]
  expect(await readPrinted(labels, 2)).toEqual([...codes, ...codes])
  await picture(labels, 'etiquetas-de-contencao')
})

test('num tablet de pé quem decide vê todas as colunas de uma contenção, sem rolar para o lado', async ({
  page,
  panel,
}) => {
  await page.setViewportSize({ width: 800, height: 1280 })
  const [open] = queryPanel<{ id: string }>(panel, "select id from containments where state = 'aberta'")
  await logIn(page, 'admin', `/pages/contencoes/${open?.id}`)
  const table = page.getByRole('region', { name: 'Peças da contenção' })
  await expect(table.getByRole('button', { name: /^Decidir: / }).first()).toBeVisible()
  const hidden = await table.evaluate(({ scrollWidth, clientWidth }: Frame) => scrollWidth - clientWidth)
  expect(hidden).toBe(0)
})
