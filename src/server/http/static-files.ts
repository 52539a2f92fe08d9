import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendNotFound } from './bind.ts'

const WEB_DIR = join(import.meta.dirname, '../../../dist/web')

/** By the address of a screen: the header with which a browser asks for its files before any script has run. */
async function readLinkHeaders(): Promise<ReadonlyMap<string, string>> {
  const files = JSON.parse(await readFile(join(WEB_DIR, 'first-files.json'), 'utf8')) as Record<string, string[]>
  return new Map(
    Object.entries(files).map(([path, names]) => [
      path,
      names
        .map(
          (name) => `</${name}>; ${name.endsWith('.css') ? 'rel=preload; as=style; crossorigin' : 'rel=modulepreload'}`,
        )
        .join(', '),
    ]),
  )
}

/** The built web app. Every address that is neither a file nor under /api is a screen: index.html answers. */
export async function serveWeb(app: FastifyInstance): Promise<void> {
  const built = existsSync(join(WEB_DIR, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: WEB_DIR,
      // the build leaves each text beside itself as .br and .gz
      preCompressed: true,
      // file names under /assets carry a hash of their content
      setHeaders: (reply, path) =>
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    })
  }
  const linkHeaders = built ? await readLinkHeaders() : new Map<string, string>()
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !/^\/(api|assets)([/?]|$)/i.test(request.url)
    if (!isPage || !built) return sendNotFound(request, reply)
    const link = linkHeaders.get(request.url.split('?', 1)[0] ?? '')
    if (link) reply.header('link', link)
    return reply.sendFile('index.html')
  })
}
