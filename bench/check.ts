import assert from 'node:assert/strict'
import Sqlite from 'better-sqlite3'
import type { ChildServer } from './child.ts'
import { ask } from './load.ts'
import { APPLICATORS, type Row } from './sample.ts'

const SESSION_LOOK_UP = /"session_secrets"/
/** It binds the answer to a session, of which the bare server knows nothing. */
const RECEIPT = /,"recibo":"[^"]+"/
const written = [
  'recordings',
  'crimp_ledger',
  'applicator_units',
  'daily_production',
  'erp_items',
  'erp_outbox',
  'live_changes',
  // of both it writes nothing
  'scraps',
  'daily_scrap',
]

/** All rows of what a recording writes, without the instants, which differ by the time between two calls. */
function contentsOf(file: string): Record<string, object[]> {
  const sqlite = new Sqlite(file, { readonly: true })
  const contents = written.map((table) => {
    const rows = sqlite.prepare(`select * from ${table}`).all() as object[]
    const lasting = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !/(^|_)at$/.test(name))),
    )
    return [table, lasting] as const
  })
  sqlite.close()
  return Object.fromEntries(contents)
}

/** A ratio says something only if both do the same: the same answers, statements and rows. Throws what differs. */
export async function checkSameWork(
  { ours, bare }: { ours: ChildServer; bare: ChildServer },
  files: { ours: string; bare: string },
  rows: Row[],
): Promise<void> {
  await ours.statements()
  for (const row of rows) {
    // more often than there are tools, because the first recording of each inserts what later ones only raise
    for (let time = 0; time < 2 * APPLICATORS; time++) {
      const request = row.next()
      const answer = await ask(ours.port, request)
      assert.equal(answer.status, row.status, answer.body)
      const same = { ...answer, body: answer.body.replace(RECEIPT, '') }
      assert.deepEqual(await ask(bare.port, request), same, row.title)
      const ran = (await ours.statements()).filter((text) => !SESSION_LOOK_UP.test(text))
      assert.deepEqual(await bare.statements(), ran, row.title)
      assert.ok(ran.length > 0)
    }
  }
  assert.deepEqual(contentsOf(files.bare), contentsOf(files.ours))
}
