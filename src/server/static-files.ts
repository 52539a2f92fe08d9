import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendNotFound } from './http.ts'

const WEB_DIR = join(import.meta.dirname, '../../dist/web')

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
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !/^\/(api|assets)([/?]|$)/i.test(request.url)
    if (!isPage || !built) return sendNotFound(request, reply)
    return reply.sendFile('index.html')
  })
}
