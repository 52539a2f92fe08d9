import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An ordinary account that every Linux has. */
const NOBODY = 65_534

const isRoot = () => process.getuid?.() === 0

/** Root may read everything: a process of its own is another account then. Elsewhere it is this one. */
export const ordinary = () => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {})

/** Gives it to that account. */
export function giveAway(path: string): void {
  if (isRoot()) chownSync(path, NOBODY, NOBODY)
}

/** A folder of that account, where every account may pass. */
export function ordinaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'painel-conta-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  giveAway(folder)
  return folder
}

/** Takes it from that account: as root it becomes root's, elsewhere it only loses its permissions. */
export function takeAway(path: string): void {
  if (isRoot()) chownSync(path, 0, 0)
  chmodSync(path, isRoot() ? 0o700 : 0)
  onTestFinished(() => chmodSync(path, 0o700))
}
