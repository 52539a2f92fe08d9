import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject, onTestFinished } from 'vitest'
import type { TestProject } from 'vitest/node'
import { createDatabase, type MariadbServer, startMariadb } from './mariadb-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mariadbStarterUrl: string
  }
}

/**
 * Vitest's global set-up. The database starts when the first test asks for one, so that a run of a few unit tests
 * does not wait for it; test processes ask over loopback.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<MariadbServer> | undefined
  const starter = createServer((_request, reply) => {
    started ??= startMariadb()
    started.then(
      ({ url }) => reply.end(url),
      (error: Error) => reply.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  project.provide('mariadbStarterUrl', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`)
  return async () => {
    starter.closeAllConnections()
    starter.close()
    const server = await started?.catch(() => undefined)
    await server?.stop()
  }
}

/** An empty database of its own on the tests' private MariaDB: `mysql://root@127.0.0.1:port/name`. */
export async function freshDatabase(): Promise<string> {
  const answer = await fetch(inject('mariadbStarterUrl'))
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return await createDatabase(url)
}

/** An empty database on a MariaDB that the test may kill and start again. */
export async function startOwnMariadb(): Promise<Pick<MariadbServer, 'url' | 'kill' | 'restart'>> {
  const server = await startMariadb()
  onTestFinished(server.stop)
  return { ...server, url: await createDatabase(server.url) }
}
