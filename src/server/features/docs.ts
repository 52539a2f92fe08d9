import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { refusals } from '../../contract/errors.ts'
import { roles } from '../../contract/values.ts'
import { permissions, roleTexts } from '../../domain/people/permissions.ts'
import { openApiDocument, refusalsOf } from '../http/openapi.ts'
import { identify, identifyByCookie } from '../http/session.ts'
import type { Context } from '../panel.ts'
import { identityText, ownIdentity, ROOT, releaseNotes } from '../upkeep/identity.ts'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const secrets: Record<'session' | NonNullable<Endpoint['suffices']>, string> = {
  session: 'com sessão',
  cookie: 'com sessão, ou só o seu cookie',
  grant: 'com sessão ou com a autorização de entrega do autor',
}

/** With what a call is made, and by whom where not by everybody. */
function accessText({ access, suffices }: Endpoint): string {
  if (access === 'public') return 'sem sessão'
  const secret = secrets[suffices ?? 'session']
  const allowed = permissions[access]
  if (allowed.length === roles.length) return secret
  return `${secret}; perfis: ${allowed.map((role) => roleTexts[role]).join(', ')}`
}

type Operation = {
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

const code = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

function sectionOf(endpoint: Endpoint, operation: Operation): string {
  const sent = operation.parameters.map(
    ({ name, in: where, required }) =>
      `<li><code>${escapeHtml(name)}</code> (${where}${required ? ', obrigatório' : ''})</li>`,
  )
  const no = refusalsOf(endpoint).map(
    (name) => `<li><b>${refusals[name].status}</b> <code>${name}</code> ${escapeHtml(refusals[name].message)}</li>`,
  )
  return `<section>
<h2><span>${endpoint.method}</span> ${escapeHtml(endpoint.path)}</h2>
<p>${escapeHtml(endpoint.summary)} (${escapeHtml(accessText(endpoint))})</p>
${sent.length > 0 ? `<h3>Parâmetros</h3><ul>${sent.join('')}</ul>` : ''}
${operation.requestBody ? `<details><summary>Corpo</summary>${code(operation.requestBody)}</details>` : ''}
<details><summary>Respostas</summary>${code(operation.responses)}</details>
<details><summary>Recusas</summary><ul>${no.join('')}</ul></details>
</section>`
}

function page(): string {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Operation>> }
  const sections = endpoints.map((endpoint) => {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    return sectionOf(endpoint, paths[path]?.[endpoint.method.toLowerCase()] as Operation)
  })
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API - Painel Industrial</title><link rel="stylesheet" href="/docs/estilo.css"></head>
<body><h1>API do Painel Industrial</h1>
<p>Gerada do mesmo contrato que valida as chamadas. Para programas, com o token da sessão: <a href="/docs/openapi.json">openapi.json</a>.</p>
${sections.join('\n')}</body></html>`
}

function notes(): string {
  const identity = ownIdentity()
  return `${identityText(identity)}\n\n${releaseNotes(ROOT, identity.number)}\n`
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;font-family:ui-monospace,monospace;overflow-wrap:anywhere}h2 span{color:light-dark(#0b5a82,#7cc4ea)}h3{font-size:1rem}
section{border-top:1px solid #8888;padding:.5rem 0}pre{overflow:auto;background:#8881;padding:1rem}summary{cursor:pointer;padding:.75rem 0}`

/** The API page needs the session cookie; its OpenAPI document also takes a program's token. */
export function docsRoutes(app: FastifyInstance, context: Context): void {
  const isReader = async (request: FastifyRequest) => {
    const caller = await identifyByCookie(request, context)
    return caller !== null && caller.isBoard !== true
  }
  app.get('/docs', async (request, reply) =>
    (await isReader(request)) ? reply.type('text/html; charset=utf-8').send(page()) : reply.redirect('/auth/login'),
  )
  app.get('/docs/notas', async (request, reply) =>
    (await isReader(request)) ? reply.type('text/plain; charset=utf-8').send(notes()) : reply.redirect('/auth/login'),
  )
  app.get('/docs/openapi.json', async (request, reply) => {
    await identify(request, context, { method: 'GET', access: 'read', suffices: 'cookie' })
    return reply.send(openApiDocument())
  })
  app.get('/docs/estilo.css', async (_, reply) => reply.type('text/css; charset=utf-8').send(style))
}
