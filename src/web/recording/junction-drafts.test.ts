import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropOldJunctionDrafts } from './junction-drafts.ts'

const DAYS_30_MS = 30 * 86_400_000

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Its keys are its own properties, as a browser's are. */
class Kept {
  getItem(key: string): unknown {
    return (this as Record<string, unknown>)[key] ?? null
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key]
  }
}

test('drafts of junctions go when they are older than 30 days, and what is none of them stays', () => {
  const draft = (ageMs: number) => JSON.stringify({ form: {}, lastAct: 0, savedAt: Date.now() - ageMs })
  const kept = Object.assign(new Kept(), {
    'rascunho-juncao:010101:1:old': draft(DAYS_30_MS + 1),
    'rascunho-juncao:010101:1:young': draft(DAYS_30_MS),
    'rascunho-juncao:010101:1:new': draft(0),
    'rascunho-juncao:010101:1:broken': '{"form":',
    'rascunho:010101:1': draft(DAYS_30_MS + 1),
  })
  vi.stubGlobal('localStorage', kept)
  dropOldJunctionDrafts()
  expect(Object.keys(kept)).toEqual([
    'rascunho-juncao:010101:1:young',
    'rascunho-juncao:010101:1:new',
    'rascunho:010101:1',
  ])
})
