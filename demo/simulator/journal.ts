import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** One JSON document per line, on disk before `append` returns. */
type Journal<Entry> = {
  /** What earlier runs appended, oldest first. */
  readonly entries: readonly Entry[]
  append(entry: Entry): void
  clear(): void
  close(): void
}

/** A last line without its end is what a power cut left of an append that nobody was told about: it is dropped. */
export function openJournal<Entry>(file: string): Journal<Entry> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const entries = whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, existsSync(file) ? 'r+' : 'w+')
  let sizeBytes = Buffer.byteLength(whole)
  const cutBack = () => ftruncateSync(descriptor, sizeBytes)
  cutBack()
  return {
    entries,
    append(entry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      try {
        for (let written = 0; written < line.length; ) {
          written += writeSync(descriptor, line, written, line.length - written, sizeBytes + written)
        }
        fdatasyncSync(descriptor)
      } catch (error) {
        cutBack()
        throw error
      }
      sizeBytes += line.length
    },
    clear() {
      sizeBytes = 0
      cutBack()
    },
    close: () => closeSync(descriptor),
  }
}
