import { describe, expect, test } from 'vitest'
import { type AlarmState, changesOf, type KindState, nextAlarm, silent, stateAfter } from './alarm-states.ts'
import type { Judged } from './alarms.ts'

const NOW = Date.UTC(2026, 10, 21, 15)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The messages of a subject that is judged once a minute; `.` is off, `#` on, `?` not to be told. */
function messagesOf(course: string): string[] {
  let state: AlarmState = silent
  return [...course].flatMap((now, minute) => {
    const isOn = { '.': false, '#': true }[now] ?? null
    const { after, message } = nextAlarm(state, isOn, NOW + minute * MINUTE_MS)
    state = after
    return message === null ? [] : [`${message} ${minute}`]
  })
}

describe('a channel', () => {
  test('says a beginning once and its end once', () => {
    expect(messagesOf('..####..')).toEqual(['begun 2', 'ended 6'])
  })

  test('says a beginning at most once an hour, and never one that has ended meanwhile', () => {
    expect(messagesOf('#.#.#.')).toEqual(['begun 0', 'ended 1'])
    expect(messagesOf(`#.${'#'.repeat(70)}.`)).toEqual(['begun 0', 'ended 1', 'begun 60', 'ended 72'])
  })

  test('says nothing while nobody can tell', () => {
    expect(messagesOf('??#??#?.')).toEqual(['begun 2', 'ended 7'])
  })
})

const symbols: Record<string, Judged> = {
  '#': { subject: '', isOn: true, text: '' },
  '.': { subject: '', isOn: false },
  '?': { subject: '', isOn: null },
}
/** As judged at one look: a letter a subject, `-` where no report names it. */
const judgedOf = (look: Record<string, string | undefined>): Judged[] =>
  Object.entries(look).flatMap(([subject, symbol = '-']) => {
    const judged = symbols[symbol]
    return judged ? [{ ...judged, subject }] : []
  })

type Given = { state?: KindState; everyMs?: number; isOlderThere?: boolean; isAway?: boolean }

/** What a channel says of a kind whose subjects go through their courses together. */
function courseOf(courses: Record<string, string>, given: Given = {}) {
  const { everyMs = MINUTE_MS, isOlderThere = false, isAway = false } = given
  let state: KindState = given.state ?? { sum: silent, subjects: [] }
  const said: string[] = []
  const looks = Math.max(...Object.values(courses).map(({ length }) => length))
  for (let look = 0; look < looks; look++) {
    const now = NOW + look * everyMs
    const judged = judgedOf(Object.fromEntries(Object.entries(courses).map(([name, course]) => [name, course[look]])))
    const changes = changesOf(state, judged, { now, isOlderThere })
    for (const message of ['begun', 'ended'] as const) {
      const names = changes.filter((one) => one.message === message).map(({ before }) => before.subject)
      if (names.length > 0) said.push(`${message} ${names.toSorted().join('+')} ${look}`)
    }
    const refused = new Set(isAway ? (['begun', 'ended'] as const) : [])
    if (changes.length > 0) state = stateAfter(changes, now, refused)
  }
  return { said, state }
}
const saidOf = (courses: Record<string, string>, given: Given = {}) => courseOf(courses, given).said

const older = (sum: Partial<AlarmState>): KindState => ({ sum: { ...silent, ...sum }, subjects: [] })
const begun = older({ begunAt: NOW - HOUR_MS, isSaid: true, saidAt: NOW - HOUR_MS })

describe('a kind of several subjects', () => {
  test('says the next beginning while one is on, and each end', () => {
    expect(saidOf({ a: '.####..', b: '..##...' })).toEqual(['begun a 1', 'begun b 2', 'ended b 4', 'ended a 5'])
  })

  test('says together what begins and ends at one look', () => {
    expect(saidOf({ a: '.##.', b: '.##.' })).toEqual(['begun a+b 1', 'ended a+b 3'])
  })

  test('is on while one of them is', () => {
    const { state } = courseOf({ a: '##.', b: '.##' })
    expect(state.sum).toEqual({ begunAt: NOW + MINUTE_MS, isSaid: true, saidAt: NOW + MINUTE_MS })
    expect(courseOf({ a: '#.', b: '#.' }).state.sum.begunAt).toBe(null)
  })

  test('holds back for an hour only what was said', () => {
    expect(saidOf({ a: '#.###', b: '..###' })).toEqual(['begun a 0', 'ended a 1', 'begun b 2'])
  })

  test('is said again while nobody takes it', () => {
    expect(saidOf({ a: '###', b: '.##' }, { isAway: true })).toEqual(['begun a 0', 'begun a+b 1', 'begun a+b 2'])
  })

  test('forgets what is over for an hour', () => {
    expect(courseOf({ a: '#.' }).state.subjects).toHaveLength(1)
    expect(courseOf({ a: '#..' }, { everyMs: 31 * MINUTE_MS }).state).toEqual({ sum: silent, subjects: [] })
  })

  test('ends what no report of a day has named, not before', () => {
    const renamed = { a: `#${'-'.repeat(26)}`, b: '.'.repeat(27) }
    expect(saidOf(renamed, { everyMs: HOUR_MS })).toEqual(['begun a 0', 'ended a 25'])
    const back = { a: `###${'-'.repeat(23)}#` }
    expect(saidOf(back, { everyMs: HOUR_MS })).toEqual(['begun a 0'])
  })
})

describe('what a version before has said', () => {
  test('is carried over without a second message, and its end is said', () => {
    expect(saidOf({ a: '##..', b: '....' }, { state: begun })).toEqual(['ended a 2'])
    expect(saidOf({ a: '?##.', b: '.##.' }, { state: begun })).toEqual(['begun b 1', 'ended a+b 3'])
  })

  test('ends where nothing is on by now', () => {
    expect(saidOf({ a: '...', b: '...' }, { state: begun })).toEqual(['ended  0'])
    expect(courseOf({ a: '.' }, { state: begun }).state.sum.begunAt).toBe(null)
  })

  test('is waited for while nobody can tell', () => {
    expect(saidOf({ a: '??.' }, { state: begun })).toEqual(['ended a 2'])
    expect(saidOf({ a: '??##' }, { state: begun })).toEqual([])
  })

  test('is said by nobody twice within the hour', () => {
    const ended = older({ saidAt: NOW - 30 * MINUTE_MS })
    expect(saidOf({ a: '##########' }, { state: ended, everyMs: 10 * MINUTE_MS })).toEqual(['begun a 3'])
  })

  test('is said where nobody took it', () => {
    const unsaid = older({ begunAt: NOW - HOUR_MS })
    expect(saidOf({ a: '##.' }, { state: unsaid })).toEqual(['begun a 0', 'ended a 2'])
  })

  test('beside this one is its own to end', () => {
    const { said, state } = courseOf({ a: '...' }, { state: begun, isOlderThere: true })
    expect([said, state]).toEqual([[], begun])
  })

  test('beside this one is not said again', () => {
    const known = courseOf({ a: '#' }).state
    const endedByIt = { ...known, sum: { ...known.sum, begunAt: null, isSaid: false } }
    expect(saidOf({ a: '..', b: '.#' }, { state: endedByIt, isOlderThere: true })).toEqual(['begun b 1'])
    const unsaid = courseOf({ a: '#' }, { isAway: true }).state
    const saidByIt = { ...unsaid, sum: { ...unsaid.sum, isSaid: true, saidAt: NOW } }
    expect(saidOf({ a: '##.' }, { state: saidByIt, isOlderThere: true })).toEqual(['ended a 2'])
  })
})
