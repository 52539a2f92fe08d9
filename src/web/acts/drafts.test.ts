import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CutItem, Part } from '../../contract/items.ts'
import { noteServerDate, serverNow } from '../device/clock.ts'
import { itemDraft } from './cut-crimp.ts'
import { changed, clearTyped, type Draft, dropOldDrafts, isTyped, restoreTyped, typedIn } from './drafts.ts'
import { junctionDraft } from './junctions.ts'
import { type RecordedHere, recordedAt } from './queue.ts'

const place = { branch: '010101', barcode: '0101621401001000010007' }

const draft = (lastAct: number): Draft => ({
  forms: { cabo: { lot: 'L1' }, l1: { lot: 'L2' } },
  lastActs: { cabo: lastAct, l1: lastAct, l2: lastAct },
  savedAt: 0,
})
const recorded = (position: number, part: Part = 'cabo', barcode = place.barcode): RecordedHere => ({
  ...place,
  barcode,
  part,
  position,
})
const partsIn = (typed: Draft, acts: readonly RecordedHere[]) =>
  typedIn(typed, (part) => recordedAt(acts, { ...place, part: part as Part })).map(([part]) => part)

describe('what was typed', () => {
  it('comes back while nothing was recorded of it', () => {
    expect(partsIn(draft(3), [])).toEqual(['cabo', 'l1'])
  })

  it('is the next act when it was typed after the last recording', () => {
    expect(partsIn(draft(3), [recorded(1), recorded(3)])).toEqual(['cabo', 'l1'])
  })

  it('is not offered again when a recording was made after it', () => {
    expect(partsIn(draft(3), [recorded(4)])).toEqual(['l1'])
    expect(partsIn(draft(3), [recorded(4, 'l1')])).toEqual(['cabo'])
  })

  it('has nothing to do with recordings of other items', () => {
    const other = recorded(4, 'cabo', '0101621401001000020007')
    expect(partsIn(draft(3), [other, { ...recorded(4), branch: '020101' }])).toEqual(['cabo', 'l1'])
  })
})

const DAYS_30_MS = 30 * 86_400_000

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Its keys are its own properties, as a browser's are. */
class MemoryStorage {
  getItem(key: string): unknown {
    return (this as Record<string, unknown>)[key] ?? null
  }
  setItem(key: string, text: string): void {
    ;(this as Record<string, unknown>)[key] = text
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key]
  }
}

it('by the clock of the device alone no draft is too old', () => {
  const old = JSON.stringify({ form: {}, lastAct: 0, savedAt: Date.now() - DAYS_30_MS - 1 })
  vi.stubGlobal('localStorage', Object.assign(new MemoryStorage(), { 'rascunho-juncao:010101:1:old': old }))
  dropOldDrafts(junctionDraft)
  expect(Object.keys(localStorage)).toEqual(['rascunho-juncao:010101:1:old'])
})

it('drafts of junctions go when they are older than 30 days, and what is none of them stays', () => {
  noteServerDate(Date.now(), Date.now())
  const draft = (ageMs: number) => JSON.stringify({ form: {}, lastAct: 0, savedAt: serverNow() - ageMs })
  const storage = Object.assign(new MemoryStorage(), {
    'rascunho-juncao:010101:1:old': draft(DAYS_30_MS + 1),
    'rascunho-juncao:010101:1:young': draft(DAYS_30_MS),
    'rascunho-juncao:010101:1:new': draft(0),
    'rascunho-juncao:010101:1:broken': '{"form":',
    'rascunho:010101:1': draft(DAYS_30_MS + 1),
  })
  vi.stubGlobal('localStorage', storage)
  dropOldDrafts(junctionDraft)
  expect(Object.keys(storage)).toEqual([
    'rascunho-juncao:010101:1:young',
    'rascunho-juncao:010101:1:new',
    'rascunho:010101:1',
  ])
})

it('everybody has a draft of their own; one of a version before is whose who comes first', () => {
  const logIn = (username: string, fullName: string) => {
    localStorage.setItem('token', 'x')
    localStorage.setItem('user', JSON.stringify({ username, fullName, expiresAt: '2026-11-21T23:00:00Z' }))
  }
  vi.stubGlobal('localStorage', new MemoryStorage())
  vi.stubGlobal('sessionStorage', new MemoryStorage())
  vi.stubGlobal('window', { addEventListener: () => undefined })
  const key = itemDraft.keyOf(place)
  const item = { Z1_FILIAL: place.branch, Z1_CODBAR: place.barcode } as CutItem
  restoreTyped(key, { cabo: { lot: 'L0' } }, item)
  logIn('maria', 'Maria Souza')
  expect(isTyped(key, 'cabo'), 'of nobody').toBe(true)
  restoreTyped(key, { cabo: { lot: 'L1' } }, item)
  logIn('joao', 'João Dias')
  expect(isTyped(key, 'cabo')).toBe(false)
  restoreTyped(key, { l1: { lot: 'L2' } }, item)
  clearTyped(key, 'l1')
  const stored = Object.entries({ ...localStorage }).filter(([name]) => name.startsWith(key))
  expect(stored.map(([name, text]) => [name, JSON.parse(String(text))])).toMatchObject([
    [`${key}|maria`, { author: 'Maria Souza', forms: { cabo: { lot: 'L1' } } }],
    [`${key}|joao`, { author: 'João Dias', forms: {} }],
  ])
})

describe('on a tablet', () => {
  const item = { Z1_FILIAL: place.branch, Z1_CODBAR: place.barcode } as CutItem
  const disk = () => localStorage as unknown as Record<string, string>
  beforeEach(() => {
    vi.stubGlobal('localStorage', new MemoryStorage())
    vi.stubGlobal('sessionStorage', new MemoryStorage())
  })

  it('an item is kept with what was typed of its parts, a junction with its one form', () => {
    const [ofItem, ofJunction] = [
      itemDraft.keyOf(place),
      junctionDraft.keyOf({ branch: '010101', order: '01621401001', junction: 'J01' }),
    ]
    restoreTyped(ofItem, { cabo: { lot: 'L1' }, l1: { lot: 'L2' } }, item)
    clearTyped(ofItem, 'l1')
    restoreTyped(ofJunction, { form: { lot: 'L3' } })
    const savedAt = serverNow()
    expect(Object.entries(disk()).map(([key, text]) => [key, JSON.parse(text)])).toEqual([
      [
        'rascunho:010101:0101621401001000010007',
        { item, forms: { cabo: { lot: 'L1' } }, lastActs: expect.anything(), savedAt },
      ],
      ['rascunho-juncao:010101:01621401001:J01', { form: { lot: 'L3' }, lastAct: 0, savedAt }],
    ])
    expect([isTyped(ofItem, 'cabo'), isTyped(ofItem, 'l1'), isTyped(ofJunction, 'form')]).toEqual([true, false, true])
    clearTyped(ofJunction, 'form')
    expect(Object.keys(disk())).toEqual([ofItem])
    restoreTyped(ofJunction, { form: { lot: '' } })
    expect(isTyped(ofJunction, 'form'), 'emptied by hand').toBe(false)
  })
})

it('a section that nobody has typed in begins as a recording has left it, else fresh', () => {
  const fresh = { cabo: { lot: '', machine: '' } }
  const fill = (form: { lot: string; machine: string }) => ({ ...form, machine: 'KX0001' })
  expect(changed({ typed: {}, carried: {}, fresh }, 'cabo', fill)).toEqual({ cabo: { lot: '', machine: 'KX0001' } })
  const carried = { cabo: { lot: 'L2', machine: '' } }
  expect(changed({ typed: {}, carried, fresh }, 'cabo', fill)).toEqual({ cabo: { lot: 'L2', machine: 'KX0001' } })
  const typed = { cabo: { lot: 'L1', machine: '' } }
  expect(changed({ typed, carried, fresh }, 'cabo', fill)).toEqual({ cabo: { lot: 'L1', machine: 'KX0001' } })
})

it('no draft keeps a badge, also where a hand typed it', () => {
  vi.stubGlobal('localStorage', new MemoryStorage())
  vi.stubGlobal('sessionStorage', new MemoryStorage())
  vi.stubGlobal('window', { addEventListener: () => undefined })
  const key = itemDraft.keyOf(place)
  const item = { Z1_FILIAL: place.branch, Z1_CODBAR: place.barcode } as CutItem
  restoreTyped(key, { cabo: { lot: 'L26 PIC-000000000' }, l1: { lot: 'L2' } }, item)
  expect(JSON.stringify({ ...localStorage })).not.toContain('PIC-')
  expect(isTyped(key, 'l1')).toBe(true)
})
