import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'cases')

/** A file as somebody has it, byte by byte; all content is invented. Each failed on the product once. */
export const caseOf = (name: string): Buffer => readFileSync(join(FOLDER, name))

/** What is read and how, as one of them says it. */
export const labelsOf = <Labels>(name: string): Labels => JSON.parse(caseOf(name).toString()) as Labels
