import { LRUCache } from 'lru-cache'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { LocationReader } from '../domain/stores.ts'

/** A LocationReader that caches entries. Its owner removes those that have changed (follow-changes.ts). */
export interface LocationCache extends LocationReader {
  forget(id: Id): void
  /** Lookups since the start that were answered from memory or not, and the number of entries in memory. */
  stats(): { readonly hits: number; readonly misses: number; readonly entries: number }
  clear(): void
}

/**
 * Caches up to `entries` locations by id and evicts the least recently used. An id is cached from its second lookup on:
 * ids that are requested once would only evict those that are requested often. An id that leads to a survivor is
 * not cached, because its entry changes under another id.
 */
export function createLocationCache(reader: LocationReader, entries: number): LocationCache {
  const cache = new LRUCache<Id, LocationEntry>({ max: entries })
  const requestedBefore = doorkeeper(entries * 4)
  // Counts the calls of `forget` and `clear`: what was read across one of them may be older than the change behind it.
  let generation = 0
  const keep = (id: Id, entry: LocationEntry | undefined, readIn: number) => {
    if (entry?.id === id && requestedBefore(id) && readIn === generation) cache.set(id, entry)
  }
  let hits = 0
  let misses = 0
  const get = async (id: Id): Promise<LocationEntry | undefined> => {
    const known = cache.get(id)
    if (known) {
      hits++
      return known
    }
    misses++
    const readIn = generation
    const found = await reader.get(id)
    keep(id, found, readIn)
    return found
  }
  return {
    get,
    getMany: async ids => {
      const found = ids.map(id => cache.get(id))
      const missing = ids.filter((_, i) => !found[i])
      misses += missing.length
      hits += ids.length - missing.length
      if (missing.length === 0) return found
      const readIn = generation
      const loaded = await reader.getMany(missing)
      let next = 0
      return ids.map((id, i) => {
        const entry = found[i] ?? loaded[next++]
        if (!found[i]) keep(id, entry, readIn)
        return entry
      })
    },
    stats: () => ({ hits, misses, entries: cache.size }),
    forget: id => {
      generation++
      cache.delete(id)
    },
    clear: () => {
      generation++
      cache.clear()
    },
  }
}

/**
 * Returns a predicate that is true for an id that was passed to it recently: the doorkeeper of TinyLFU (Einziger,
 * Friedman and Manes, 2017), reduced to a table of the last id in each of `slots` places.
 */
function doorkeeper(slots: number): (id: Id) => boolean {
  const last = new BigUint64Array(slots)
  const size = BigInt(slots)
  return id => {
    const slot = Number(id % size)
    const before = last[slot] === id
    last[slot] = id
    return before
  }
}
