import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { root } from '../support/tidy/source.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const known = namesIn(read('src/server/config.ts'), /^ {2}([A-Z_]+): \[/gm)

test('the example of a plant starts as one, behind a proxy of the same machine', () => {
  const env = parseEnv(read('deploy/systemd/painel.env.example')) as Record<string, string>
  expect(known).toContain('ERP_URL')
  expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([])
  expect(readConfig(env)).toMatchObject({
    mode: 'plant',
    host: '127.0.0.1',
    trustedProxies: ['127.0.0.1'],
    allowPlainHttp: false,
    authBasicPassword: false,
  })
  const caddy = read('deploy/caddy/Caddyfile')
  expect(caddy).toContain(`:${env.HOST}:${env.PORT}}`)
})

test('what the container is given the panel knows, and what is asked for has an example', () => {
  const compose = read('deploy/container/compose.yaml')
  const [, ofPanel = ''] = /^ {2}painel:\n(.*?)\n\n/ms.exec(compose) ?? []
  const given = namesIn(ofPanel, /^ {6}([A-Z_]+): /gm)
  expect(given).toContain('TRUSTED_PROXIES')
  expect(given.filter((name) => !known.includes(name))).toEqual([])
  const env = parseEnv(read('deploy/container/env.example'))
  expect(namesIn(compose, /\$\{([A-Z_]+)/g).filter((name) => !(name in env))).toEqual([])
})

test('every file that an image is built of is there, and no folder with secrets among them', () => {
  const copied = namesIn(read('deploy/container/Containerfile'), /^COPY (?!--from)(.+) \S+$/gm)
    .join(' ')
    .split(' ')
  expect(copied).toContain('src')
  expect(copied.filter((name) => globSync(name, { cwd: root }).length === 0)).toEqual([])
  expect(copied.filter((name) => /^(\.|\.env|data|\*)$/.test(name))).toEqual([])
})

test('HAProxy passes on nothing that a visitor says of where it comes from, before it says so itself', () => {
  const [, panel = ''] = /^listen panel\n(.*?)\n\n/ms.exec(read('deploy/galera/haproxy.cfg')) ?? []
  const said = namesIn(panel, /^ +(http-request (?:del|set)-header \S*Forwarded\S*|option forwardfor.*)/gm)
  expect(said).toEqual([
    'http-request del-header X-Forwarded-',
    'http-request del-header Forwarded',
    'option forwardfor',
    'http-request set-header X-Forwarded-Proto',
  ])
  expect(panel).toContain('del-header X-Forwarded- -m beg')
})
