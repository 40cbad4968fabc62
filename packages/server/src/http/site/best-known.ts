import { topLevelCategories } from '../../domain/category.ts'
import { isFault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import type { Filters } from '../../domain/search.ts'
import type { Clock } from '../../kit/clock.ts'
import { ThreadUnavailable } from '../../kit/thread-unavailable.ts'
import { nearbyCatalog } from '../../usecases/partner/nearby-locations.ts'
import { worldBox } from './places/find-places.ts'
import type { PlacePages } from './places/parts.ts'

/** Maximum number of best-known places. */
const maxPlaces = 500
/** Cities and regions are well known, but are no places to go to. */
const kinds = topLevelCategories.filter(name => name !== 'GEO')
/** Time for which the places are kept, in microseconds. */
const keptUs = 600_000_000

/** The best-known places of the world. */
export interface KnownPlaces {
  /** Number of all places; NaN while the index is built. */
  readonly total: number
  readonly places: readonly LocationEntry[]
  /** Ids of places that exist, for examples of calls; empty while they are unknown. */
  readonly exampleIds: readonly Id[]
}

/** Finds the best-known places, at most once in ten minutes. */
export interface BestKnown {
  /**
   * Returns the same object while the places are kept, and the previous one while the query of the next finds no place
   * in the queue of long queries. Throws ThreadUnavailable if there is no previous one.
   */
  get(): Promise<KnownPlaces>
  /** Returns ids of places that exist, for examples of calls; empty while they are unknown. */
  exampleIds(): Promise<readonly Id[]>
}

// While the index is built, the number of places is unknown, but not zero.
const unknown: KnownPlaces = { total: Number.NaN, places: [], exampleIds: [] }

/** Creates the source of the best-known places of public pages. */
export function createBestKnown(places: Omit<PlacePages, 'clock' | 'settings'>, clock: Clock): BestKnown {
  let kept: { readonly known: KnownPlaces; readonly untilUs: number } | undefined
  let asking: Promise<KnownPlaces> | undefined
  const askAgain = async () => {
    const untilUs = clock.monotonicUs() + keptUs
    const known = await findKnown(places)
    // An empty service is asked again, so that its first import shows at once.
    if (known.total > 0) kept = { known, untilUs }
    return known
  }
  const get = async () => {
    if (places.index.notReady()) return unknown
    if (kept && clock.monotonicUs() < kept.untilUs) return kept.known
    asking ??= askAgain().finally(() => (asking = undefined))
    try {
      return await asking
    } catch (error) {
      if (kept && error instanceof ThreadUnavailable) return kept.known
      throw error
    }
  }
  const exampleIds = async () => {
    try {
      return (await get()).exampleIds
    } catch {
      // Pages with examples do not depend on the data: they show those of the documents.
      return []
    }
  }
  return { get, exampleIds }
}

/** Number of ids for examples. */
const maxExamples = 3

async function findKnown(places: Omit<PlacePages, 'clock' | 'settings'>): Promise<KnownPlaces> {
  const [all, best] = [await ask(places, maxExamples), await ask(places, maxPlaces, kinds)]
  const entries = best.items.map(({ entry }) => entry)
  const examples = entries.length > 0 ? entries : all.items.map(({ entry }) => entry)
  return { total: all.total, places: entries, exampleIds: examples.slice(0, maxExamples).map(({ id }) => id) }
}

/** Finds the best-known places of the world and counts all of them. */
async function ask(places: Omit<PlacePages, 'clock' | 'settings'>, limit: number, categories?: Filters['categories']) {
  const query = { within: { box: worldBox }, sort: 'popularity', offset: 0, limit } as const
  const caller = { subject: 'landing page', isGone: () => false }
  const found = await nearbyCatalog(places, { ...query, ...(categories && { categories }) }, caller)
  return isFault(found) ? { items: [], total: Number.NaN } : found
}
