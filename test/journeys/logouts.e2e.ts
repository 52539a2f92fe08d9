import { sessions } from '../../src/contract/sessions.ts'
import { expect, logIn, ORDER, queryPanel, searchFor, test } from '../support/journeys/journey.ts'

const LEAVE = sessions.leave.path
const byCookieAlone = ['/api/crimpagens', '/api/crimpagens/export-csv', '/api/eventos']

test('quem sai sem rede saiu: nada mais se abre neste dispositivo, e o servidor ouve isso antes de tudo', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(/ERR_FAILED|status of 401/)
  await logIn(page, 'admin')
  const statusOf = (path: string) => page.evaluate(`fetch('${path}').then(({ status }) => status)`)
  expect(await statusOf('/api/crimpagens')).toBe(200)
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  const stored = await page.evaluate<Record<string, string>>('({ ...localStorage })')
  expect(Object.keys(stored).filter((key) => ['token', 'user', 'basicAuth'].includes(key))).toEqual([])

  await page.route(`**${LEAVE}`, (route) => route.abort())
  await page.unroute('**/api/**')
  for (const path of byCookieAlone) expect(await statusOf(path), path).toBe(401)
  expect(
    (await context.request.get('/api/crimpagens', { headers: { 'sec-fetch-site': 'same-origin' } })).status(),
  ).toBe(401)
  const ends = 'select ended_why as why from sessions order by created_at'
  expect(queryPanel(panel, ends)).toEqual([{ why: null }])

  const answered: string[] = []
  page.on('response', (response) => answered.push(new URL(response.url()).pathname))
  const typed = async () => {
    await page.getByLabel('Usuário').fill('operador')
    await page.getByLabel('Senha', { exact: true }).fill('operador')
    await page.getByRole('button', { name: 'Entrar' }).click()
  }
  await typed()
  await expect(page.getByRole('alert')).toContainText('Sem conexão com o servidor')
  expect(answered).not.toContain(sessions.login.path)
  await page.unroute(`**${LEAVE}`)
  await typed()
  await expect(page.getByRole('button', { name: 'Sair do sistema' })).toBeVisible()
  expect(answered.filter((path) => path.startsWith('/api/'))[0]).toBe(LEAVE)
  expect(queryPanel(panel, ends)).toEqual([{ why: 'logout' }, { why: null }])
  expect(await statusOf('/api/crimpagens'), 'of who has come in').toBe(200)
})

test('quem sai enquanto as listas de máquinas se leem não pergunta mais nada com a sessão que acabou', async ({
  page,
}) => {
  await logIn(page)
  const types: (string | null)[] = []
  const left = Promise.withResolvers<void>()
  await page.route('**/api/maquinas?*', async (route) => {
    types.push(new URL(route.request().url()).searchParams.get('tipo'))
    if (types.length === 2) await left.promise
    await route.continue()
  })
  await searchFor(page, ORDER)
  await expect.poll(() => types).toEqual([null, 'cabo'])
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  left.resolve()
  await page.getByLabel('Usuário').fill('operador')
  await page.getByLabel('Senha', { exact: true }).fill('operador')
  expect(types).toEqual([null, 'cabo'])
})
