/** Starts the panel where its server cannot be reached. What the server knows is never kept here: no answer of /api. */

declare const self: ServiceWorkerGlobalScope

/** The files of this version and the hash of its page; the build puts it in front of this script. */
declare const SHELL: { sha256: string; assets: string[] }

const PAGE = '/index.html'
const SILENCE_MS_MAX = 3000
const VERSION = SHELL.sha256

/** TypeScript's own types do not know it yet, nor do older browsers. */
type Route = { condition: { urlPattern: string }; source: 'network' | 'cache' }
type Routing = { addRoutes?: (routes: Route[]) => Promise<void> }

/** As the handler below would answer, without waking this worker. */
const routes: Route[] = [
  { condition: { urlPattern: '/api/*' }, source: 'network' },
  // of whatever version; from the server where none has it
  { condition: { urlPattern: '/assets/*' }, source: 'cache' },
]

self.addEventListener('install', (event: ExtendableEvent & Routing) => {
  // Chromium makes the next worker wait five minutes where a request reaches this one while they change places.
  event.waitUntil(Promise.all([event.addRoutes?.(routes), keepShell()]))
})
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin || request.method !== 'GET') return
  // Any other request goes to the server as if there were no worker.
  if (pathname.startsWith('/assets/')) event.respondWith(fileOf(request))
  else if (request.mode === 'navigate' && !/^\/(api|docs)(\/|$)/i.test(pathname)) event.respondWith(pageOf(request))
})

async function keepShell() {
  try {
    const cache = await caches.open(VERSION)
    // A server that is being updated may answer with the page of one version and the worker of another: never kept.
    const page = new Request(PAGE, { cache: 'reload', integrity: `sha256-${SHELL.sha256}` })
    await cache.addAll([page, ...SHELL.assets])
  } catch (error) {
    await caches.delete(VERSION)
    throw error
  }
  await self.skipWaiting()
}

async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== VERSION)
  // Pages of the version before go on until they may reload: the server has their screens no more.
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Its name has the hash of its content: of whatever version, it is the same. */
const fileOf = async (request: Request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request)

/** From the server while it answers, so that nothing kept here can hold a newer version back. */
async function pageOf(request: Request) {
  const fetching = fetch(request)
  const silence = new Promise<null>((resolve) => setTimeout(resolve, SILENCE_MS_MAX, null))
  const answer = await Promise.race([fetching.catch(() => null), silence])
  // A proxy answers 502 for a server that is away.
  if (answer && answer.status < 500) return answer
  return (await caches.match(PAGE, { cacheName: VERSION, ignoreVary: true })) ?? fetching
}
