import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { pageVariables } from '../../src/contract/installation-settings.ts'
import { readConfig } from '../../src/server/config.ts'
import { root } from '../support/tidy/source.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const known = namesIn(read('src/server/variables.ts'), /^ {2}([A-Z_]+): \[/gm)

test('the example of a plant starts as one as it is, behind a proxy of the same machine, and leaves to the page what the page sets', () => {
  const text = read('deploy/systemd/painel.env.example')
  const example = parseEnv(text) as Record<string, string>
  expect(read('deploy/systemd/painel.service')).toContain('ExecStart=/opt/painel/painel start\n')
  const config = readConfig(example, { mode: 'plant' })
  expect(config).toMatchObject({
    mode: 'plant',
    host: '127.0.0.1',
    trustedProxies: ['127.0.0.1'],
    allowPlainHttp: false,
    authBasicPassword: false,
    erp: null,
  })
  expect(Object.keys(example).filter((name) => (pageVariables as readonly string[]).includes(name))).toEqual([])
  expect(read('deploy/caddy/Caddyfile')).toContain(`:${config.host}:${config.port}}`)
  const written = namesIn(text, /^#?([A-Z_]+)=/gm)
  expect(written).toContain('ERP_URL')
  expect(written.filter((name) => !known.includes(name))).toEqual([])
  const uncommented = parseEnv(text.replace(/^#(?=ERP_)/gm, '')) as Record<string, string>
  expect(() => readConfig(uncommented)).toThrow(/^ERP_PASSWORD ainda tem a senha do exemplo/)
})

test('what the containers are given the panel knows, and nothing starts with the passwords of the example', () => {
  const compose = read('deploy/container/compose.yaml')
  const [, ofPanel = ''] = /^x-painel: &painel\n(.*?)\n\n/ms.exec(compose) ?? []
  expect(ofPanel).toContain('  env_file: .env\n')
  const given = namesIn(ofPanel, /^ {4}([A-Z_]+): /gm)
  expect(given).toContain('TRUSTED_PROXIES')
  expect(given.filter((name) => !known.includes(name))).toEqual([])
  expect(namesIn(compose, /^ {2}(\w+):\n {4}<<: \*painel$/gm)).toEqual(['painel', 'backup'])

  const example = read('deploy/container/env.example')
  const written = namesIn(example, /^#?([A-Z_]+)=/gm)
  const inserted = namesIn(compose, /\$\{([A-Z_]+)/g)
  expect(inserted.filter((name) => !written.includes(name))).toEqual([])
  expect(written.filter((name) => !known.includes(name) && !inserted.includes(name))).toEqual([])
  // compose itself stops where a variable with `:?` is empty
  expect(namesIn(example, /^([A-Z_]+)=$/gm)).toEqual(['PAINEL_DB_PASSWORD'])
  expect(namesIn(compose, /\$\{(\w+):\?/g)).toEqual(['PAINEL_DB_PASSWORD', 'PAINEL_DB_PASSWORD'])
  const { PAINEL_DB_PASSWORD: _, ...env } = parseEnv(example) as Record<string, string>
  expect(read('deploy/container/Containerfile')).toContain('CMD ["painel", "start"]')
  expect(readConfig(env, { mode: 'plant' })).toMatchObject({ mode: 'plant', erp: null })
  const uncommented = parseEnv(example.replace(/^#(?=ERP_)/gm, '')) as Record<string, string>
  const { PAINEL_DB_PASSWORD: __, ...withErp } = uncommented
  expect(() => readConfig(withErp)).toThrow(/^ERP_PASSWORD ainda tem a senha do exemplo/)
})

test('every file that an image is built of is there, and no folder with secrets among them', () => {
  const copied = namesIn(read('deploy/container/Containerfile'), /^COPY (?!--from)(.+) \S+$/gm)
    .join(' ')
    .split(' ')
  expect(copied).toContain('src')
  expect(copied.filter((name) => globSync(name, { cwd: root }).length === 0)).toEqual([])
  expect(copied.filter((name) => /^(\.|\.env|data|\*|deploy|deploy\/container)$/.test(name))).toEqual([])
})

test('the proxy has each recipe of the manual: the own authority by its address, a pair of files, and no more', () => {
  const caddy = read('deploy/caddy/Caddyfile')
  const manual = read('docs/manual/certificados.md')
  const recipes = namesIn(caddy, /^\(tls_(\w+)\) \{$/gm)
  expect(recipes).toEqual(['propria', 'par'])
  expect(namesIn(caddy, /import tls_\{\$PAINEL_TLS:(\w+)\}/g)).toEqual(['propria'])
  const named = namesIn(manual, /Environment=(PAINEL_\w+)=/g)
  expect(named.filter((name) => !caddy.includes(`{$${name}:`))).toEqual([])
  expect(namesIn(manual, /PAINEL_TLS=(\w+)/g)).toEqual(['par'])
  for (const [file = ''] of caddy.matchAll(/\/etc\/caddy\/painel\.\w+/g)) expect(manual).toContain(file)
  expect(caddy).toContain('handle /raiz {')
  // a visitor by number names no host
  expect(caddy).toContain('default_sni {$PAINEL_HOST:')
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
