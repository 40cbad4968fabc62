import { LRUCache } from 'lru-cache'
import type { LocationReader } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'

/** A LocationReader that caches entries. Its owner evicts those that have changed (follow-changes.ts). */
export interface LocationCache extends LocationReader {
  /** Returns an entry that is cached, which counts as a hit; undefined for any other location. */
  recall(id: Id): LocationEntry | undefined
  evict(id: Id): void
  /** Returns the numbers of hits and misses since the start, and of cached entries. */
  stats(): { readonly hits: number; readonly misses: number; readonly entries: number }
  clear(): void
}

/**
 * Caches up to `entries` locations by id and evicts the least recently used. An id is cached from its second lookup on:
 * ids that are requested once would only evict those that are requested often. The id of a merged location is
 * not cached, because its entry changes under the id of the survivor.
 */
export function createLocationCache(reader: LocationReader, entries: number): LocationCache {
  const cache = new LRUCache<Id, LocationEntry>({ max: entries })
  const requestedBefore = createDoorkeeper(entries * 4)
  // Counts the calls of `evict` and `clear`: an entry whose read overlaps with one of them may be stale.
  let generation = 0
  const add = (id: Id, entry: LocationEntry | undefined, generationBefore: number) => {
    if (entry?.id === id && requestedBefore(id) && generationBefore === generation) cache.set(id, entry)
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
    const generationBefore = generation
    const found = await reader.get(id)
    add(id, found, generationBefore)
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
      const generationBefore = generation
      const loaded = await reader.getMany(missing)
      let next = 0
      return ids.map((id, i) => {
        const entry = found[i] ?? loaded[next++]
        if (!found[i]) add(id, entry, generationBefore)
        return entry
      })
    },
    findMerged: keys => reader.findMerged(keys),
    recall: id => {
      const known = cache.get(id)
      if (known) hits++
      return known
    },
    stats: () => ({ hits, misses, entries: cache.size }),
    evict: id => {
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
function createDoorkeeper(slots: number): (id: Id) => boolean {
  const last = new BigUint64Array(slots)
  const size = BigInt(slots)
  return id => {
    const slot = Number(id % size)
    const before = last[slot] === id
    last[slot] = id
    return before
  }
}
