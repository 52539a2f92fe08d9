import { BARCODE, expect, expectAccessible, logIn, ORDER, scan, searchFor, test } from './journey.ts'

test('o operador pesquisa uma ordem e vê seus itens', async ({ page }) => {
  await logIn(page)
  await expect(
    page.getByText('Digite um código de barras ou ordem de produção e clique em "Pesquisar" para buscar itens.'),
  ).toBeVisible()
  await expectAccessible(page)
  await searchFor(page, ORDER)
  await expect(page.getByText(`Última pesquisa: ${ORDER} (Ordem de produção) - Filial: Unidade 1`)).toBeVisible()
  await expect(page.getByText('Andorinha Implementos Ltda')).toBeVisible()
  await expect(page.getByText('CHICOTE PAINEL CABINE')).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(24)
  await expect(page.getByRole('progressbar', { name: '% Corte' }).nth(1)).toHaveAttribute('aria-valuenow', '50')
  await expectAccessible(page)
})

test('a outra filial tem as suas ordens', async ({ page }) => {
  await logIn(page)
  await searchFor(page, '00A3F701002')
  await expect(page.getByText('Nenhum item encontrado para os critérios de pesquisa informados.')).toBeVisible()
  await page.getByText('Unidade 2', { exact: true }).click()
  await page.getByRole('button', { name: 'Pesquisar' }).click()
  await expect(page.getByText('Última pesquisa: 00A3F701002 (Ordem de produção) - Filial: Unidade 2')).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(15)
})

test('uma leitura do leitor pesquisa sozinha, com o cursor na caixa ou fora dela', async ({ page }) => {
  await logIn(page)
  const box = page.getByLabel('Código de barras ou ordem de produção')
  await expect(box).toBeFocused()
  await scan(page, BARCODE)
  const note = page.getByText(`Última pesquisa: ${BARCODE} (Código de barras)`)
  await expect(note).toBeVisible()
  await expect(page.getByRole('button', { name: /Ver detalhes do item/ })).toHaveCount(1)

  const other = '010162140100100002000S'
  await page.getByRole('button', { name: 'Pesquisar' }).focus()
  await scan(page, other)
  await expect(page.getByText(`Última pesquisa: ${other} (Código de barras)`)).toBeVisible()
  await expect(box).toHaveValue(other)
})
