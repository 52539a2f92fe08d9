import { describe, expect, it } from 'vitest'
import { createTokens } from './token.ts'

const MINUTE_MS = 60_000

function setUp({ refresh = true }: { refresh?: boolean } = {}) {
  const clock = { ms: 0 }
  const requests: string[] = []
  let made = 0
  const grant = () => {
    made += 1
    return { accessToken: `access${made}`, refreshToken: `refresh${made}`, expiresInMs: 60 * MINUTE_MS }
  }
  const tokens = createTokens({
    withPassword: async () => {
      requests.push('password')
      return grant()
    },
    withRefresh: async (refreshToken) => {
      requests.push(refreshToken)
      return refresh ? grant() : null
    },
    now: () => clock.ms,
  })
  return { clock, requests, tokens }
}

describe('tokens', () => {
  it('are kept until 80 % of their time, then refreshed', async () => {
    const { clock, requests, tokens } = setUp()
    expect(await tokens.current()).toBe('access1')
    clock.ms = 48 * MINUTE_MS - 1
    expect(await tokens.current()).toBe('access1')
    clock.ms = 48 * MINUTE_MS
    expect(await tokens.current()).toBe('access2')
    expect(requests).toEqual(['password', 'refresh1'])
  })

  it('fall back to the password when the refresh is refused', async () => {
    const { requests, tokens } = setUp({ refresh: false })
    await tokens.current()
    expect(await tokens.renew('access1')).toBe('access2')
    expect(requests).toEqual(['password', 'refresh1', 'password'])
  })

  it('are asked for once by many', async () => {
    const { requests, tokens } = setUp()
    expect(new Set(await Promise.all([1, 2, 3].map(() => tokens.current())))).toEqual(new Set(['access1']))
    await Promise.all([1, 2, 3].map(() => tokens.renew('access1')))
    expect(await tokens.renew('access1')).toBe('access2')
    expect(requests).toEqual(['password', 'refresh1'])
  })

  it('begin with the password again once forgotten', async () => {
    const { requests, tokens } = setUp()
    await tokens.current()
    tokens.forget()
    expect(await tokens.current()).toBe('access2')
    expect(requests).toEqual(['password', 'password'])
  })

  it('are asked for again after a failure', async () => {
    let attempts = 0
    const tokens = createTokens({
      withPassword: async () => {
        attempts += 1
        if (attempts === 1) throw new Error('away')
        return { accessToken: 'access', refreshToken: null, expiresInMs: 1000 }
      },
      withRefresh: () => Promise.reject(new Error('never asked')),
      now: () => 0,
    })
    await expect(tokens.current()).rejects.toThrow('away')
    await expect(tokens.current()).resolves.toBe('access')
  })
})
