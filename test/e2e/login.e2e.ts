import { expect, expectAccessible, logIn, test } from './journey.ts'

const UNAUTHORIZED = /status of 401/

test('quem erra a senha ou o usuário lê a mesma mensagem e continua na entrada', async ({ page, tolerate }) => {
  tolerate(UNAUTHORIZED)
  await page.goto('/')
  await expect(page.getByLabel('Usuário')).toBeFocused()
  for (const username of ['operador', 'ninguem']) {
    await page.getByLabel('Usuário').fill(username)
    await page.getByLabel('Senha', { exact: true }).fill('errada')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('alert')).toHaveText('Usuário ou senha inválidos')
    await expect(page).toHaveURL(/\/auth\/login$/)
  }
  await expectAccessible(page)
})

test('quem erra muitas vezes espera', async ({ page, tolerate }) => {
  tolerate(UNAUTHORIZED)
  tolerate(/status of 429/)
  await page.goto('/')
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await expect(async () => {
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('alert')).toHaveText(/Muitas tentativas. Tente novamente em \d+ segundos./, {
      timeout: 500,
    })
  }).toPass()
})

test('a senha fica escondida até que se peça para ver', async ({ page }) => {
  await page.goto('/')
  const password = page.getByLabel('Senha', { exact: true })
  await password.fill('segredo')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostrar senha' }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test('quem chega sem sessão entra e volta ao endereço pedido', async ({ page }) => {
  await page.goto('/pages/apontamento-corte-crimpagem?de=link')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(/\/pages\/apontamento-corte-crimpagem\?de=link$/)
})

test('um endereço desconhecido leva à entrada', async ({ page }) => {
  await page.goto('/nao/existe')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('quem sai não volta com o botão de voltar', async ({ page }) => {
  await logIn(page)
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goto('/pages/apontamento-corte-crimpagem')
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('a sessão vale depois de recarregar, e a senha não fica no navegador', async ({ page }) => {
  await logIn(page, 'admin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
  await expect(page.getByText('Administrador')).toBeVisible()
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(Buffer.from('admin:admin').toString('base64'))
})

test('o zero de um código é cortado, e os algarismos têm a mesma largura', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByLabel('Usuário')).toBeVisible()
  await page.evaluate(async () => {
    const show = (id: string, text: string, look: string) => {
      const shown = document.body.appendChild(document.createElement('span'))
      shown.id = id
      shown.textContent = text
      shown.className = look
      shown.style.cssText = 'font-size: 40px; position: fixed; bottom: 0; left: 0; background: white; color: black'
    }
    show('zero', '0', '')
    show('code', '0', 'code')
    show('zeros', '0000000000', 'code')
    show('ones', '1111111111', 'code')
    await document.fonts.ready
  })
  const lookOf = async (id: string) => {
    await page.evaluate((shown) => {
      for (const { id, style } of document.querySelectorAll<HTMLElement>('body > span')) {
        style.visibility = id === shown ? 'visible' : 'hidden'
      }
    }, id)
    return (await page.locator(`#${id}`).screenshot()).toString('base64')
  }
  const plain = await lookOf('zero')
  expect(await lookOf('zero'), 'the same twice').toBe(plain)
  expect(await lookOf('code')).not.toBe(plain)
  const widthOf = (id: string) => page.locator(`#${id}`).evaluate((shown) => shown.getBoundingClientRect().width)
  expect(await widthOf('ones')).toBe(await widthOf('zeros'))
})
