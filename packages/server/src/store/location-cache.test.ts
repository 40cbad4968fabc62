import { describe, expect, test } from 'vitest'
import type { Change } from '../domain/change.ts'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { ChangeLog, LocationReader } from '../domain/stores.ts'
import { followChanges } from './follow-changes.ts'
import { createLocationCache } from './location-cache.ts'

const entry = (id: Id, updatedMs: number) => ({ id, updatedMs }) as LocationEntry

/** A reader that answers when the test says so, with what was stored when the read began. */
function slowReader() {
  const stored = new Map<Id, LocationEntry>()
  const waiting: (() => void)[] = []
  const answer = <T>(value: T) => new Promise<T>(resolve => waiting.push(() => resolve(value)))
  const reader: LocationReader = {
    get: id => answer(stored.get(id)),
    getMany: ids => answer(ids.map(id => stored.get(id))),
  }
  return {
    reader,
    put: (id: Id, updatedMs: number) => void stored.set(id, entry(id, updatedMs)),
    answerAll: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

async function cached() {
  const store = slowReader()
  const cache = createLocationCache(store.reader, 10)
  const get = async (id: Id) => {
    const found = cache.get(id)
    store.answerAll()
    return (await found)?.updatedMs
  }
  store.put(1n, 1)
  // Cached from the second lookup on.
  await get(1n)
  return { store, cache, get }
}

describe('a change while an entry is being read', () => {
  test.each([
    ['forget', (cache: ReturnType<typeof createLocationCache>) => cache.forget(1n)],
    ['clear', (cache: ReturnType<typeof createLocationCache>) => cache.clear()],
  ])('is not lost after %s', async (_, announce) => {
    const { store, cache, get } = await cached()
    const reading = cache.get(1n)
    store.put(1n, 2)
    announce(cache)
    store.answerAll()
    expect((await reading)?.updatedMs).toBe(1)
    expect(await get(1n)).toBe(2)
  })

  test('is not lost when several are read at once', async () => {
    const { store, cache, get } = await cached()
    const reading = cache.getMany([1n, 2n])
    store.put(1n, 2)
    cache.forget(1n)
    store.answerAll()
    await reading
    expect(await get(1n)).toBe(2)
  })

  test('an entry that did not change meanwhile is cached', async () => {
    const { cache, get } = await cached()
    await get(1n)
    expect(cache.stats().entries).toBe(1)
    expect(await get(1n)).toBe(1)
    expect(cache.stats()).toEqual({ hits: 1, misses: 2, entries: 1 })
  })
})

/** A change log in memory; the hooks run before and after the newest number is read. */
function slowLog() {
  const lines: Change[] = []
  const hooks = { before: () => {}, after: () => {} }
  const pruned = { through: 0 }
  const log: ChangeLog = {
    lastSeq: async () => {
      hooks.before()
      const newest = lines.length
      hooks.after()
      return newest
    },
    after: async (seq, limit) => (seq < pruned.through ? undefined : lines.slice(seq, seq + limit)),
    prune: async () => ({ removed: 0 }),
  }
  const change = (id: Id) => lines.push({ seq: lines.length + 1, atMs: 0, kind: 'location', id, op: 'upsert' })
  return { log, hooks, pruned, change }
}

describe('followChanges', () => {
  test('removes what has changed', async () => {
    const { cache, get, store } = await cached()
    const { log, change } = slowLog()
    const follow = followChanges(log, cache)
    await follow()
    await get(1n)
    change(1n)
    store.put(1n, 2)
    await follow()
    expect(await get(1n)).toBe(2)
  })

  test.each(['before', 'after'] as const)(
    'a change that comes %s the newest number is read in a bulk change is not lost',
    async moment => {
      const { cache, get, store } = await cached()
      const { log, hooks, change } = slowLog()
      const follow = followChanges(log, cache)
      await follow()
      for (let i = 0; i < 10_000; i++) change(2n)
      let reading: Promise<unknown> = Promise.resolve()
      hooks[moment] = () => {
        reading = cache.get(1n)
        store.answerAll()
        change(1n)
        store.put(1n, 2)
      }
      await follow()
      await reading
      hooks[moment] = () => {}
      await follow()
      expect(await get(1n)).toBe(2)
    },
  )

  test('a reader that is further behind than the oldest line clears everything', async () => {
    const { cache, get, store } = await cached()
    const { log, pruned, change } = slowLog()
    const follow = followChanges(log, cache)
    await follow()
    await get(1n)
    change(1n)
    change(2n)
    store.put(1n, 2)
    pruned.through = 1
    await follow()
    expect(cache.stats().entries).toBe(0)
    expect(await get(1n)).toBe(2)
  })

  test('a failure is repeated with the next call', async () => {
    const { cache, get, store } = await cached()
    const { log, change } = slowLog()
    let broken = true
    const follow = followChanges(
      { ...log, after: async (...query) => (broken ? Promise.reject(new Error('disk')) : log.after(...query)) },
      cache,
    )
    await follow()
    await get(1n)
    change(1n)
    store.put(1n, 2)
    await expect(follow()).rejects.toThrow('disk')
    broken = false
    await follow()
    expect(await get(1n)).toBe(2)
  })
})
