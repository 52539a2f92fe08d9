import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { putDocumentsBack } from '../../src/server/documents/backup-documents.ts'
import { temporaryFolder } from '../support/harness.ts'

test('a document that is put back is on the disk before it has its name, and its name after that', async () => {
  const folder = temporaryFolder()
  const content = 'desenho do chicote'
  const sha256 = createHash('sha256').update(content).digest('hex')
  const [from, to] = [join(folder, 'backup'), join(folder, 'documentos')].map((one) => join(one, sha256.slice(0, 2)))
  if (!from || !to) throw new Error('no folders')
  mkdirSync(from, { recursive: true })
  writeFileSync(join(from, sha256), content)
  const named: boolean[] = []
  await using any = await open(join(from, sha256))
  const synced = vi.spyOn(Object.getPrototypeOf(any) as FileHandle, 'sync').mockImplementation(function (
    this: FileHandle,
  ) {
    named.push(existsSync(join(to, sha256)))
    return this.datasync()
  })
  await putDocumentsBack(join(folder, 'backup'), join(folder, 'documentos'))
  synced.mockRestore()
  expect(readFileSync(join(to, sha256), 'utf8')).toBe(content)
  expect(named[0], 'the file, before').toBe(false)
  expect(named.at(-1), 'its folder, after').toBe(true)
})
