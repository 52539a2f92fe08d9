import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { prepareFiles } from '../../bench/speed.ts'

test('the bare server of the benchmark runs the statements and gives the answers of the panel', async () => {
  await prepareFiles(mkdtempSync(join(tmpdir(), 'painel-test-')))
})
