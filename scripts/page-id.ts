// Tells a built page from another one, wherever it is open: the page says it with its calls.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { PAGE_ID_META } from '../src/contract/settings.ts'

const HASH_LENGTH = 7

/**
 * The page names every script by its hash, so the hash of the page is one of all that a screen runs. The number is that of
 * its line, 2.1.0 for every 2.1.x: one more in it would make another page, which every tablet reloads for.
 */
export function pageIdOf(html: string, version: string): string {
  const [major, minor] = version.split('.')
  return `${major}.${minor}.0-${createHash('sha256').update(html).digest('hex').slice(0, HASH_LENGTH)}`
}

export function withPageId(html: string, version: string): string {
  if (!html.includes('</head>')) throw new Error('The page has no head')
  return html.replace('</head>', `<meta name="${PAGE_ID_META}" content="${pageIdOf(html, version)}"></head>`)
}

/** After Vite has written the page, and before `installable` reads it. */
export const pageId = (folder: string): Plugin => ({
  name: 'page-id',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no page')
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
      page.source = withPageId(String(page.source), version)
    },
  },
})
