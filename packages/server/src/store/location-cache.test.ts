import { describe, expect, test } from 'vitest'
import type { Change } from '../domain/change.ts'
import type { ChangeLog, LocationReader } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import { followChanges } from './follow-changes.ts'
import { createLocationCache } from './location-cache.ts'

const entry = (id: Id, updatedMs: number) => ({ id, updatedMs }) as LocationEntry

/** A reader that resolves when the test calls `resolveAll`, with the entries stored at the start of each read. */
function slowReader() {
  const stored = new Map<Id, LocationEntry>()
  const waiting: (() => void)[] = []
  const read = <T>(value: T) => new Promise<T>(resolve => waiting.push(() => resolve(value)))
  const reader: LocationReader = {
    get: id => read(stored.get(id)),
    getMany: ids => read(ids.map(id => stored.get(id))),
    findMerged: keys => read(keys.map(() => [])),
  }
  return {
    reader,
    put: (id: Id, updatedMs: number) => void stored.set(id, entry(id, updatedMs)),
    resolveAll: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

async function cached() {
  const store = slowReader()
  const cache = createLocationCache(store.reader, 10)
  const get = async (id: Id) => {
    const found = cache.get(id)
    store.resolveAll()
    return (await found)?.updatedMs
  }
  store.put(1n, 1)
  // Cached from the second lookup on.
  await get(1n)
  return { store, cache, get }
}

describe('a change while an entry is being read', () => {
  test.each([
    ['evict', (cache: ReturnType<typeof createLocationCache>) => cache.evict(1n)],
    ['clear', (cache: ReturnType<typeof createLocationCache>) => cache.clear()],
  ])('is not lost after %s', async (_, announce) => {
    const { store, cache, get } = await cached()
    const reading = cache.get(1n)
    store.put(1n, 2)
    announce(cache)
    store.resolveAll()
    expect((await reading)?.updatedMs).toBe(1)
    expect(await get(1n)).toBe(2)
  })

  test('is not lost when several entries are read together', async () => {
    const { store, cache, get } = await cached()
    const reading = cache.getMany([1n, 2n])
    store.put(1n, 2)
    cache.evict(1n)
    store.resolveAll()
    await reading
    expect(await get(1n)).toBe(2)
  })

  test('an entry that did not change during the read is cached', async () => {
    const { cache, get } = await cached()
    await get(1n)
    expect(cache.stats().entries).toBe(1)
    expect(await get(1n)).toBe(1)
    expect(cache.stats()).toEqual({ hits: 1, misses: 2, entries: 1 })
  })
})

/** A change log in memory; the hooks run before and after the newest number is read. */
function slowLog() {
  const changes: Change[] = []
  const hooks = { before: () => {}, after: () => {} }
  const pruned = { through: 0 }
  const log: ChangeLog = {
    lastSeq: async () => {
      hooks.before()
      const newest = changes.length
      hooks.after()
      return newest
    },
    after: async (seq, limit) => (seq < pruned.through ? undefined : changes.slice(seq, seq + limit)),
    prune: async () => ({ removed: 0 }),
  }
  const change = (id: Id) => changes.push({ seq: changes.length + 1, atMs: 0, kind: 'location', id, op: 'upsert' })
  return { log, hooks, pruned, change }
}

describe('followChanges', () => {
  test('removes what has changed', async () => {
    const { cache, get, store } = await cached()
    const { log, change } = slowLog()
    const { follow } = followChanges(log, cache)
    await follow()
    await get(1n)
    change(1n)
    store.put(1n, 2)
    await follow()
    expect(await get(1n)).toBe(2)
  })

  test.each(['before', 'after'] as const)(
    'a change %s the read of the newest number during a bulk change is not lost',
    async hook => {
      const { cache, get, store } = await cached()
      const { log, hooks, change } = slowLog()
      const { follow } = followChanges(log, cache)
      await follow()
      for (let i = 0; i < 10_000; i++) change(2n)
      let reading: Promise<unknown> = Promise.resolve()
      hooks[hook] = () => {
        reading = cache.get(1n)
        store.resolveAll()
        change(1n)
        store.put(1n, 2)
      }
      await follow()
      await reading
      hooks[hook] = () => {}
      await follow()
      expect(await get(1n)).toBe(2)
    },
  )

  test('a reader that has missed pruned changes clears the cache', async () => {
    const { cache, get, store } = await cached()
    const { log, pruned, change } = slowLog()
    const { follow } = followChanges(log, cache)
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

  test('a failed call is repeated by the next call', async () => {
    const { cache, get, store } = await cached()
    const { log, change } = slowLog()
    let broken = true
    const { follow } = followChanges(
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
