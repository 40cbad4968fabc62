import { describe, expect, test } from 'vitest'
import type { SessionUse } from '../domain/autocomplete-session.ts'
import { digestSession, hashLetters } from './session-name.ts'
import { allocateSessions, OpenSessions } from './sessions.ts'

const session = digestSession('key_1', 'a-session-of-a-user')
const startMs = 1_800_000_000_000
const minuteMs = 60_000

const typed = (text: string, offered: readonly bigint[] = [1n, 2n]): SessionUse => ({
  kind: 'typed',
  session,
  letters: hashLetters(session, text),
  offered,
})
const chosen = (id: bigint): SessionUse => ({ kind: 'chosen', session, id })

/** Returns the units of uses, each at a time after the start. */
function unitsOf(uses: readonly (readonly [use: SessionUse, afterMs?: number])[], sessions = create()) {
  return uses.map(([use, afterMs = 0]) => sessions.use(use, startMs + afterMs)!.units)
}
const small = { stripes: 1, slotsPerStripe: 9 }
const create = () => new OpenSessions(allocateSessions(small))

describe('a session', () => {
  test('costs one unit with its calls and the place that ends it', () => {
    const letters = ['h', 'ha', 'hal', 'hali', 'hal', 'h'].map(text => [typed(text)] as const)
    expect(unitsOf([...letters, [chosen(2n)]])).toEqual([1, 0, 0, 0, 0, 0, 0])
  })

  test('ends with a place; the next call opens another one, and a second place costs a unit', () => {
    expect(unitsOf([[typed('ha')], [chosen(1n)], [chosen(2n)], [typed('ha')], [chosen(2n)]])).toEqual([1, 0, 1, 1, 0])
  })

  test('pays for no place that it has not suggested', () => {
    expect(unitsOf([[typed('ha')], [chosen(77n)], [chosen(1n)], [chosen(1n)]])).toEqual([1, 1, 0, 1])
    expect(unitsOf([[chosen(1n)]])).toEqual([1])
  })

  test('costs a unit more for each other beginning', () => {
    const texts = ['ha', 'pa', 'par', 'ha', 'Há', 'ro', 'rome']
    expect(unitsOf(texts.map(text => [typed(text)]))).toEqual([1, 1, 0, 0, 0, 1, 0])
  })

  test('has 60 calls', () => {
    const units = unitsOf(Array.from({ length: 121 }, () => [typed('ha')] as const))
    expect(units.flatMap((unit, i) => (unit === 1 ? [i] : []))).toEqual([0, 60, 120])
  })

  test('pays for the place that ends it after 60 calls', () => {
    const calls = Array.from({ length: 60 }, () => [typed('ha')] as const)
    expect(unitsOf([...calls, [chosen(1n)]]).at(-1)).toBe(0)
  })

  test('costs nothing more for a beginning that has paid, whichever other one was refused', () => {
    const sessions = create()
    unitsOf([[typed('ha')]], sessions)
    const refused = sessions.use(typed('pa'), startMs)!
    unitsOf([[typed('ro')]], sessions)
    refused.undo()
    expect(unitsOf([[typed('ro')], [typed('pa')], [typed('ro')]], sessions)).toEqual([0, 1, 0])
  })

  test('ends three minutes after its last call, and ten after its first', () => {
    expect(unitsOf([[typed('ha')], [typed('ha'), 3 * minuteMs], [typed('ha'), 6 * minuteMs + 1]])).toEqual([1, 0, 1])
    const every = Array.from({ length: 6 }, (_, i) => [typed('ha'), i * 2.5 * minuteMs] as const)
    expect(unitsOf(every)).toEqual([1, 0, 0, 0, 0, 1])
  })

  test('is forgotten if its first call is refused, and continues if a later one is', () => {
    const sessions = create()
    sessions.use(typed('ha'), startMs)!.undo()
    expect(unitsOf([[typed('ha')]], sessions)).toEqual([1])
    sessions.use(typed('pa'), startMs)!.undo()
    expect(unitsOf([[typed('pa')], [typed('ha')]], sessions)).toEqual([1, 0])
    sessions.use(chosen(1n), startMs)!.undo()
    expect(unitsOf([[chosen(1n)]], sessions)).toEqual([0])
  })

  test('is known after a restart, with any place', () => {
    const sessions = create()
    sessions.replay({ kind: 'typed', session, letters: hashLetters(session, 'ha') }, startMs)
    expect(unitsOf([[typed('ha')], [typed('pa')], [chosen(99n)], [chosen(99n)]], sessions)).toEqual([0, 1, 0, 1])
    sessions.replay({ kind: 'typed', session, letters: 0 }, startMs)
    sessions.replay({ kind: 'chosen', session }, startMs)
    expect(unitsOf([[chosen(1n)]], sessions)).toEqual([1])
  })
})

test('sessions of keys and threads: digests differ by key, and threads share what is open', () => {
  expect(digestSession('key_2', 'a-session-of-a-user')).not.toBe(session)
  const memory = allocateSessions(small)
  expect(new OpenSessions(memory, 1).use(typed('ha'), startMs)!.units).toBe(1)
  expect(new OpenSessions(memory, 2).use(typed('hal'), startMs)!.units).toBe(0)
})

test('no more than all slots are open, and one that is over makes way', () => {
  const sessions = create()
  const open = (i: number, afterMs = 0) =>
    sessions.use({ kind: 'typed', session: digestSession('k', String(i)), letters: 0, offered: [] }, startMs + afterMs)
  for (let i = 0; i < 8; i++) expect(open(i)!.units).toBe(1)
  expect(open(8)).toBeUndefined()
  expect(open(0)!.units).toBe(0)
  expect(open(8, 4 * minuteMs)!.units).toBe(1)
})
