import { groupOf, personOf, SERVICE, startDirectory } from '../support/directory/responder.ts'
import { expect, logIn, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it needs
  panelEnv: async ({}, use) => {
    const directory = await startDirectory({ people: [personOf('maria', ['Painel', 'Linha 1'])] })
    await use(directory.env)
    await directory.close()
  },
})

test("'Testar diretório' diz em Instalação quem acha, os grupos e o perfil, e Sistema se ele responde", async ({
  page,
}) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=instalacao')
  const part = page.getByRole('region', { name: 'Diretório', exact: true })
  const tryOut = async (name: string) => {
    await part.getByLabel('Usuário do diretório').fill(name)
    await part.getByRole('button', { name: 'Testar diretório' }).click()
  }
  await tryOut('FABRICA\\maria')
  await expect(part.getByRole('status')).toHaveText('Entra com o perfil Operador.')
  const steps = part.getByRole('list', { name: 'O que o diretório respondeu' }).getByRole('listitem')
  await expect(steps).toContainText([
    `O diretório aceita ${SERVICE.dn}.`,
    'Maria Souza (maria)',
    groupOf('Linha 1'),
    `Operador, pelo grupo ${groupOf('Painel')}.`,
  ])
  await picture(page, 'configuracoes-instalacao-diretorio')
  await tryOut('ninguem')
  await expect(part.getByRole('alert')).toHaveText('Esta pessoa não entra pelo diretório.')
  await expect(steps.last()).toContainText('Confira o nome, LDAP_BASE e LDAP_FILTER.')
  await page.getByRole('tab', { name: 'Sistema' }).click()
  await expect(part).toContainText('aceita a conta de serviço')
  await expect(part).toContainText('responde')
  await picture(page, 'configuracoes-sistema-diretorio')
})
