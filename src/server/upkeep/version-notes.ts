import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** What is installed and its notes; of a build between two versions also what has no version yet. */
export function versionText(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const sections = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m)
  const own = sections.findIndex((section) => section.startsWith(`## ${version} `))
  return `Painel Industrial ${version}\n\n${sections.slice(1, own + 1).join('')}`.trimEnd()
}
