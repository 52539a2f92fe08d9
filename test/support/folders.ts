import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Far more than a whole run holds at once; the 64 MB of a container are too little. */
const FREE_BYTES_MIN = 2 * 1024 ** 3

const hasRoomInMemory = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= FREE_BYTES_MIN
  } catch {
    return false
  }
}

/** In memory where the machine has room there, for a test waits for a disk longer than it works. A given TMPDIR wins. */
const place = !process.env.TMPDIR && hasRoomInMemory() ? MEMORY : tmpdir()

/** For NODE_COMPILE_CACHE of a process that a test starts: it needs half as long when Node has read our files before. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node')

/** A new folder of its own; whoever makes it removes it. */
export const makeFolder = (prefix: string): string => mkdtempSync(join(place, prefix))
