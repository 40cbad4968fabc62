import { LRUCache } from 'lru-cache'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { LocationReader } from '../domain/stores.ts'

/** A LocationReader that remembers. What changed has to be told to it. */
export interface LocationCache extends LocationReader {
  forget(id: Id): void
  clear(): void
}

/**
 * Keeps up to `entries` locations by id, least recently used out first. Entries are immutable, so what is derived
 * from one (a rendered body) can be kept beside it in a WeakMap and goes with it. An id that leads to a survivor
 * is not kept: its entry changes under another id.
 */
export function cachedLocations(reader: LocationReader, entries: number): LocationCache {
  const cache = new LRUCache<Id, LocationEntry>({ max: entries })
  const get = async (id: Id): Promise<LocationEntry | undefined> => {
    const known = cache.get(id)
    if (known) return known
    const found = await reader.get(id)
    if (found?.id === id) cache.set(id, found)
    return found
  }
  return {
    get,
    getMany: async ids => {
      const found = ids.map(id => cache.get(id))
      const missing = ids.filter((_, i) => !found[i])
      if (missing.length === 0) return found
      const loaded = await reader.getMany(missing)
      let next = 0
      return ids.map((id, i) => {
        const entry = found[i] ?? loaded[next++]
        if (entry?.id === id) cache.set(id, entry)
        return entry
      })
    },
    forget: id => cache.delete(id),
    clear: () => cache.clear(),
  }
}
