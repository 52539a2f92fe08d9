import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGE_ID_META } from '../../contract/settings.ts'

export const ROOT = join(import.meta.dirname, '../../..')

/** Which program this is. `day` is its commit's, else its release's; empty where neither is known. */
export type Identity = { number: string; commit: string; day: string }

/** As an archive and its folder are called. */
export const programId = ({ number, commit }: Identity): string => `${number}-${commit}`

const COMMIT_LENGTH = 7
const WITHOUT_COMMIT = 'sem-commit'
const CHANGED = 'alterado'

/** Null where git does not answer. Told where it is, git neither looks above the folder nor minds whose it is. */
function askGit(folder: string, words: string[]): string | null {
  const place = [`--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`, '--no-optional-locks']
  const { status, stdout } = spawnSync('git', [...place, ...words], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const readNotes = (folder: string): string => {
  const file = join(folder, 'CHANGELOG.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Each release's notes begin with its number and day. */
function releaseDay(folder: string, number: string): string {
  const [, day = ''] = new RegExp(`^## ${number} – (\\S+)$`, 'm').exec(readNotes(folder)) ?? []
  return day
}

/** An archive says in its package.json what it was made of; a checkout asks git. */
export function readIdentity(folder: string): Identity {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { version: number, commit, day } = JSON.parse(text) as { version: string; commit?: string; day?: string }
  if (commit !== undefined && day !== undefined) return { number, commit, day }
  const head = existsSync(join(folder, '.git')) ? askGit(folder, ['log', '-1', '--format=%H %cs']) : null
  if (head === null) return { number, commit: WITHOUT_COMMIT, day: releaseDay(folder, number) }
  const [hash = '', committedDay = ''] = head.split(' ')
  const isUnchanged = askGit(folder, ['status', '--porcelain']) === ''
  return { number, commit: isUnchanged ? hash.slice(0, COMMIT_LENGTH) : CHANGED, day: committedDay }
}

let own: Identity | undefined

/** The program of this process: files replaced while it runs change nothing. */
export function ownIdentity(): Identity {
  own ??= readIdentity(ROOT)
  return own
}

/** This program's version and day, as it is named everywhere. */
export const ownProgram = () => ({ version: programId(ownIdentity()), day: ownIdentity().day })

/** Which page this server hands out just now; null without a built one. */
export async function findPageId(folder = ROOT): Promise<string | null> {
  const html = await readFile(join(folder, 'dist', 'web', 'index.html'), 'utf8').catch(() => '')
  return new RegExp(`<meta name="${PAGE_ID_META}" content="([\\w.-]+)">`).exec(html)?.[1] ?? null
}

/** In three lines, for whoever types `--version`. */
export function identityText(identity: Identity): string {
  const { commit, day } = identity
  return `Painel Industrial ${programId(identity)}\nCommit: ${commit}\nDia: ${day || 'desconhecido'}`
}

/** The notes of this release, and in between two of them what has no number yet. */
export function releaseNotes(folder: string, number: string): string {
  const [, ...sections] = readNotes(folder).split(/^(?=## )/m)
  const own = sections.findIndex((section) => section.startsWith(`## ${number} `))
  return sections
    .slice(0, own + 1)
    .filter((section) => /^- /m.test(section))
    .join('')
    .replace(/^## Unreleased$/m, '## Ainda sem número')
    .trimEnd()
}
