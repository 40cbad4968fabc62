import { isFault } from '../domain/fault.ts'
import type { FeedDownloads } from '../domain/feed-stores.ts'
import type { Id } from '../domain/id.ts'
import { StatesUnavailable } from '../domain/limit-states.ts'
import type { LiveLimits } from '../domain/limit-status.ts'
import type { FoundPlaces, LiveState } from '../domain/live-state.ts'
import { fullScope } from '../domain/scope.ts'
import type { QueryCaller } from '../domain/search.ts'
import type { Readiness } from '../http/admin/health.ts'
import type { Eventual } from '../kit/chain.ts'
import { ThreadUnavailable } from '../kit/thread-unavailable.ts'
import { nearbyLocations } from '../usecases/partner/nearby-locations.ts'
import type { SearchStores } from '../usecases/partner/read-hits.ts'
import { searchLocations } from '../usecases/partner/search-locations.ts'

interface LiveParts {
  readonly measures: LiveState['measures']
  readonly readiness: Readiness
  readonly limits: LiveLimits
  readonly downloads: Pick<FeedDownloads, 'since'>
  readonly search: SearchStores & { readonly index: { readonly ready: boolean } }
}

/** The caller of queries of the console. They take turns with those of partners. */
const consoleCaller: QueryCaller = { subject: 'console', isGone: () => false }

/** Creates the live state of the serving process. */
export const createLiveState = ({ readiness, measures, limits, downloads, search }: LiveParts): LiveState => ({
  status: async () => {
    const reasons = await readiness.reasons()
    return { ready: reasons.length === 0, reasons, notes: await readiness.notes() }
  },
  measures,
  limitsOf: async key => limits.statusOf(key),
  forgive: async key => {
    try {
      await limits.forgive(key)
    } catch (error) {
      // All nodes follow the stored decision, this one as soon as it can.
      if (!(error instanceof StatesUnavailable)) throw error
    }
  },
  downloadsOf: keyId => downloads.since(keyId, 0),
  search: query => findPlaces(search, () => searchLocations(search, query.scope ?? fullScope, query, consoleCaller)),
  nearby: query =>
    findPlaces(search, async () => {
      const found = await nearbyLocations(search, query.scope ?? fullScope, query, consoleCaller)
      return isFault(found) ? undefined : found
    }),
})

/**
 * Returns the ids of a result; undefined while the index is being loaded, or if a thread of the search is not
 * available.
 */
async function findPlaces(
  { index }: LiveParts['search'],
  find: () => Eventual<
    { readonly items: readonly { readonly entry: { readonly id: Id } }[]; total: number } | undefined
  >,
): Promise<FoundPlaces | undefined> {
  if (!index.ready) return undefined
  try {
    const found = await find()
    return found && { ids: found.items.map(({ entry }) => entry.id), total: found.total }
  } catch (error) {
    if (error instanceof ThreadUnavailable) return undefined
    throw error
  }
}
