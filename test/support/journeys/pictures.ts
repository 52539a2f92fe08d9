import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Pictures of every screen, ignored by git, and those that the manual shows. */
export const folders = { all: join(root, 'screenshots'), manual: join(root, 'docs', 'manual', 'imagens') } as const

const textsIn = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))

const picturesIn = (texts: string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(/\bimagens\/([\w-]+)\.jpeg\)/g)].map(([, name = '']) => name))

const rowsIn = (text: string) => text.replace(/^(?!\|).*$/gm, '')

/** The names of the pictures that the README shows three side by side, in a row of a table. */
export const readmePictures = (): Set<string> => new Set(picturesIn(textsIn('.', 'README.md').map(rowsIn)))

/** The names of the pictures that the README and the pages of the manual show. */
export const manualPictures = (): Set<string> =>
  new Set(picturesIn([...textsIn('.', 'README.md'), ...textsIn('docs/manual', '.md')]))

type TakenPicture = {
  name: string
  /** The title of the journey that takes it. */
  journey: string
}

/** What the journeys take, read from their sources. */
export const picturesTaken = (): TakenPicture[] =>
  textsIn('test/journeys', '.e2e.ts').flatMap((text) => {
    const titles = [...text.matchAll(/^\s*(?:test|testOnEach)\(\s*(['"])(.+?)\1,/gm)]
    return [...text.matchAll(/\bawait picture\(\w+, '([\w-]+)'\)/g)].map(({ 1: name = '', index }) => ({
      name,
      journey: titles.findLast((title) => title.index < index)?.[2] ?? '',
    }))
  })
