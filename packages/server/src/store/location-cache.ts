import { LRUCache } from 'lru-cache'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { LocationReader } from '../domain/stores.ts'

/** A LocationReader that remembers. What changed has to be told to it. */
export interface LocationCache extends LocationReader {
  forget(id: Id): void
  /** How many were asked for since the start and in memory or not, and how many are in memory. */
  stats(): { readonly hits: number; readonly misses: number; readonly entries: number }
  clear(): void
}

/**
 * Keeps up to `entries` locations by id, least recently used out first, each from the second time on that it is asked
 * for: what is asked for once would only push out what is asked for often, and leave work for the garbage collector.
 * An id that leads to a survivor is not kept: its entry changes under another id.
 */
export function cachedLocations(reader: LocationReader, entries: number): LocationCache {
  const cache = new LRUCache<Id, LocationEntry>({ max: entries })
  const askedBefore = doorkeeper(entries * 4)
  const keep = (id: Id, entry: LocationEntry | undefined) => {
    if (entry?.id === id && askedBefore(id)) cache.set(id, entry)
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
    const found = await reader.get(id)
    keep(id, found)
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
      const loaded = await reader.getMany(missing)
      let next = 0
      return ids.map((id, i) => {
        const entry = found[i] ?? loaded[next++]
        if (!found[i]) keep(id, entry)
        return entry
      })
    },
    stats: () => ({ hits, misses, entries: cache.size }),
    forget: id => cache.delete(id),
    clear: () => cache.clear(),
  }
}

/**
 * Tells whether an id was asked for not long ago, the doorkeeper of TinyLFU (Einziger, Friedman and Manes, 2017)
 * reduced to a table of the last id in each of `slots` places.
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
