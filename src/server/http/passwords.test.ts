import { describe, expect, test } from 'vitest'
import { openPasswords, PasswordsBusy } from './passwords.ts'

const passwords = openPasswords()

describe('a password', () => {
  test('is right however its accents were typed, and no other is', async () => {
    const stored = await passwords.hash('Produção 1')
    expect(await passwords.verify('Produção 1'.normalize('NFD'), stored)).toBe(true)
    for (const other of ['produção 1', 'Produção 1 ', 'Producao 1', '', stored]) {
      expect(await passwords.verify(other, stored), other).toBe(false)
    }
  })

  test('is stored as argon2id with a salt of its own', async () => {
    const [one, other] = await Promise.all([passwords.hash('igual'), passwords.hash('igual')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(other)
  })

  test('of a user who does not exist, or has none, is never right', async () => {
    for (const stored of [null, '', 'senha', '$argon2id$v=19$m=19456,t=2,p=1$$']) {
      expect(await passwords.verify('', stored), String(stored)).toBe(false)
      expect(await passwords.verify('senha', stored), String(stored)).toBe(false)
    }
  })
})

describe('many passwords at once', () => {
  test('two are checked, twenty wait, the rest are told to come again', async () => {
    const busy = openPasswords()
    const stored = await busy.hash('senha')
    const tries = await Promise.allSettled(Array.from({ length: 30 }, () => busy.verify('senha', stored)))
    expect(tries.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(22)
    const reasons = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(reasons).toHaveLength(8)
    expect(reasons.every((reason) => reason instanceof PasswordsBusy)).toBe(true)
    expect(await busy.verify('senha', stored)).toBe(true)
  })

  test('whoever asks for many waits behind all others, and is the one who is told to come again', async () => {
    const busy = openPasswords()
    const stored = await busy.hash('senha')
    const ended: string[] = []
    const from = async (place: string) => {
      try {
        await busy.verify('senha', stored, place)
        ended.push(place)
      } catch {
        ended.push(`${place} refused`)
      }
    }
    const loop = Array.from({ length: 40 }, () => from('station'))
    await Promise.all([...loop, ...Array.from({ length: 15 }, (_, at) => from(`tablet ${at}`))])
    expect(ended.filter((one) => one.startsWith('tablet')).toSorted()).toEqual(
      Array.from({ length: 15 }, (_, at) => `tablet ${at}`).toSorted(),
    )
    expect(ended.filter((one) => one === 'station refused')).toHaveLength(33)
    const before = ended.slice(
      0,
      ended.findLastIndex((one) => one.startsWith('tablet')),
    )
    expect(before.filter((one) => one === 'station').length, 'its turn comes once a round').toBeLessThan(6)
  })

  test('a check that fails gives its place to the next', async () => {
    const busy = openPasswords()
    const broken = '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA'
    for (let round = 0; round < 3; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 22 }, () => busy.verify('senha', broken)))
      for (const one of tries) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) })
    }
  })
})
