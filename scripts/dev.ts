// `npm run dev`: the server starts again with each change of it, and an open page takes each change of the page at once. The
// page's server hands whatever is no page to the panel's.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')
const port = Number(process.env.PORT ?? 3000)
const serverPort = port + 1

/** One that keeps nothing: a page that was kept would hide each change. */
const emptyWorker: Plugin = {
  name: 'empty-worker',
  configureServer: ({ middlewares }) =>
    void middlewares.use('/sw.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript').end('addEventListener("install", () => skipWaiting())')
    }),
}

const panel = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
  cwd: root,
  env: { ...process.env, PORT: String(serverPort) },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const target = `http://127.0.0.1:${serverPort}`
const page = await createServer({
  root: join(root, 'src', 'web'),
  configFile: join(root, 'vite.config.ts'),
  plugins: [emptyWorker],
  // the host stays as the browser named it: the panel compares it with the origin of each call
  server: {
    ...{ port, strictPort: true },
    proxy: Object.fromEntries(['/api', '/health', '/icons', '/licencas.txt'].map((path) => [path, { target }])),
  },
})
await page.listen()
console.log(`Telas: http://localhost:${port} (mudam com os arquivos; o servidor reinicia em ${target})`)

async function end(): Promise<void> {
  panel.kill('SIGTERM')
  await Promise.all([page.close(), panel.exitCode === null && once(panel, 'exit')])
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
