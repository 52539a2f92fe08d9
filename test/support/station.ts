import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { Station } from '../../src/contract/stations.ts'
import type { User } from '../../src/contract/users.ts'
import type { TestPanel } from './harness.ts'
import { browserOf, cookieOf, type Pair, pairOf, sameOrigin } from './visitor.ts'

export const PIN = '7302'

/** A shared station, and the administrator who makes it one and gives badges. */
export async function openStation(panel: Pick<TestPanel, 'app'>, administrator: string) {
  const browser = browserOf(panel)
  let admin = pairOf(await browser.login(administrator))
  const { device } = admin
  let secret = ''
  const cookies = () => `__Host-device=${device}; __Host-station=${secret}`
  const onDevice = () => ({ ...sameOrigin, cookie: cookies() })
  const asAdmin = async <Reply>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const request: InjectOptions = { method, url: `/api/${path}`, ...(payload ? { payload } : {}) }
    const ask = () => {
      const headers = { cookie: `__Host-sid=${admin.cookie}; ${cookies()}` }
      return browser.ask(admin, { ...request, headers })
    }
    let answer = await ask()
    // somebody else has come in here, or the clock has moved on
    if (answer.statusCode === 401 || answer.statusCode === 428) {
      admin = pairOf(await browser.login(administrator, undefined, onDevice()))
      answer = await ask()
    }
    expect([200, 201], answer.body).toContain(answer.statusCode)
    secret = cookieOf(answer, '__Host-station')?.value ?? secret
    return answer.json<Reply>()
  }
  const enrol = () => asAdmin('POST', 'estacao', { name: 'Bancada 1' })
  await enrol()
  const idOf = async (username: string) =>
    (await asAdmin<User[]>('GET', 'usuarios')).find((user) => user.username === username)?.id ?? 0
  return {
    enrol,
    /** Ends the one before. */
    giveBadge: async (username: string, pin: string | null = PIN): Promise<string> => {
      const id = await idOf(username)
      if (pin !== null) await asAdmin('PUT', `usuarios/${id}/pin`, { pin })
      return (await asAdmin<{ codigo: string }>('POST', `usuarios/${id}/cracha`)).codigo
    },
    unblockBadge: async (username: string) =>
      await asAdmin('POST', `usuarios/${await idOf(username)}/cracha/liberacao`),
    revokeBadge: async (username: string) => await asAdmin('DELETE', `usuarios/${await idOf(username)}/cracha`),
    takeBack: async () => {
      const own = (await asAdmin<Station[]>('GET', 'estacoes')).find(({ isCurrent }) => isCurrent)
      await asAdmin('DELETE', `estacoes/${own?.id}`)
    },
    scan: (codigo: string, pin = PIN) =>
      panel.app.inject({ method: 'POST', url: '/api/auth/cracha', headers: onDevice(), payload: { codigo, pin } }),
    /** Of a session on the station: its device stays what it was. */
    pairOf: (answer: Parameters<typeof pairOf>[0]): Pair => ({ ...pairOf(answer), device }),
  }
}
