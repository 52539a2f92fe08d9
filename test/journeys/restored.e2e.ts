import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fillCable, NO_NETWORK, piecesAtErp, piecesAtServer, RECORD, saveHere } from '../support/journeys/cable.ts'
import { expect, logIn, openItemOfOrder, queryPanel, section, test } from '../support/journeys/journey.ts'
import { LONG } from '../support/slowness.ts'
import { root } from '../support/tidy/source.ts'

// an ERP that cannot be asked by id and stores twice what it gets twice
test.use({ panelEnv: { DEMO_ERP_LOOKUP: 'none' } })

test('o backup de ontem volta, e o que espera no tablet e o ERP já tem não vai de novo', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(/401/)
  const command = (...names: string[]) => {
    const program = join(root, 'src', 'server', 'commands', 'database.ts')
    const { PATH = '' } = process.env
    const env = { PATH, DATA_DIR: panel.dataDir }
    const { status, stderr } = spawnSync(process.execPath, [program, ...names], { env, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  }
  command('backup')
  await openItemOfOrder(page)
  await fillCable(page)
  // the server takes it and the ERP has it, and the tablet never hears of that
  let tries = 0
  await page.route(RECORD, async (route) => {
    if (tries++ === 0) await route.fetch()
    await route.abort()
  })
  await saveHere(page, 5)
  await expect.poll(() => piecesAtErp(panel)).toBe(5)
  await panel.kill('SIGTERM')
  const backups = join(panel.dataDir, 'backups')
  const [backup = ''] = readdirSync(backups).filter((name) => name.startsWith('painel-'))
  command('restore', join(backups, backup))
  await page.unroute(RECORD)
  await panel.restart()
  await expect.poll(() => piecesAtServer(panel), LONG).toEqual([5])
  // asked about at once and two seconds later; who cannot be asked by id decides after minutes, and a person then
  const deliveries = () =>
    queryPanel<{ state: string; inquiries: number }>(panel, 'select state, inquiries from erp_outbox')
  await expect.poll(() => deliveries()[0]?.inquiries).toBeGreaterThanOrEqual(2)
  expect(deliveries()).toMatchObject([{ state: 'unknown' }])
  expect(await piecesAtErp(panel)).toBe(5)
  await logIn(page, 'admin', '/pages/pendencias')
  await expect(section(page, 'Aguardando o ERP').getByRole('listitem')).toHaveCount(1)
})
