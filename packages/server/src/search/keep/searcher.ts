import type { Id } from '../../domain/id.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { NearbyQuery, NearbyResult, Point, SearchQuery, SearchResult } from '../../domain/search.ts'
import type { Clock } from '../../kit/clock.ts'
import { coordinatesOf, type IndexPart, type IndexView } from '../index/index-view.ts'
import { type Changes, deadDocuments, Overlay, wantsRebuild } from '../index/overlay.ts'
import { Segment, type SegmentData } from '../index/segment.ts'
import { Budget } from '../query/budget.ts'
import { nearbyPlaces } from '../query/nearby-places.ts'
import { searchPlaces } from '../query/search-places.ts'
import { type ShortlistOutcome, shortlist } from '../recommend/shortlist.ts'
import { countryNamed } from '../text/country-names.ts'
import { WorkerClient } from './worker-client.ts'

/** How the index stands. */
export interface IndexInfo {
  /** The change-log sequence number up to which changes can be found. */
  readonly revision: number
  /** Since the main segment was built, in milliseconds. */
  readonly ageMs: number
  /** Places that can be found. */
  readonly documents: number
  /** Changes since the main segment was built. */
  readonly changes: number
  /** So many that the main segment should be built anew, aside, and swapped in. */
  readonly wantsRebuild: boolean
}

export interface SearcherOptions {
  readonly clock: Clock
  /** Steps (see Budget) that a query may take on the calling thread; about a millisecond where it is left out. */
  readonly inlineSteps?: number
}

/** Search and nearby over one index that changes under way. Every answer is read from one view. */
export interface Searcher {
  search(query: SearchQuery): Promise<SearchResult>
  nearby(query: NearbyQuery): Promise<NearbyResult>
  /** The places worth a closer look for a recommendation. */
  shortlist(query: RecommendationQuery): Promise<ShortlistOutcome>
  /** Where a place is; undefined where the index does not hold it. */
  coordinates(id: Id): Point | undefined
  /** Makes changes of the store findable; resolves when they are. */
  apply(changes: Changes): Promise<void>
  /** Takes a main segment that was built aside. Changes after its revision stay findable. */
  swap(main: SegmentData): Promise<void>
  info(): IndexInfo
  /** Starts the worker that long queries go to, so that the first of them does not wait for it. */
  warm(): Promise<void>
  close(): Promise<void>
}

const defaultInlineSteps = 10_000

/** Serves an index: short queries where they are asked, long ones in a worker over the same memory (ARCHITECTURE.md). */
export function createSearcher(
  data: SegmentData,
  { clock, inlineSteps = defaultInlineSteps }: SearcherOptions,
): Searcher {
  // The names of countries take a tenth of a second to collect; not in the middle of the first query.
  countryNamed('')
  const queries = new WorkerClient()
  const builds = new WorkerClient()
  const overlay = new Overlay()
  overlay.dropUpTo(data.facts.revision)
  let view: IndexView = { parts: [{ segment: new Segment(data) }], revision: data.facts.revision }
  let turn: Promise<void> = Promise.resolve()

  /** One change after the other, each from the state that the one before left. */
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const done = turn.then(change)
    turn = done.catch(() => {})
    return done
  }
  const renew = async (main: Segment): Promise<void> => {
    const { documents, revision } = overlay
    const dead = deadDocuments(main, overlay.ids)
    const parts: IndexPart[] = [{ segment: main, ...(dead && { dead }) }]
    if (documents.length > 0) {
      const over: IndexView = { parts: [{ segment: main }], revision }
      const task = { kind: 'overlay', documents, revision, nowMs: clock.nowMs() } as const
      parts.push({ segment: new Segment((await builds.ask(task, over)) as SegmentData) })
    }
    view = { parts, revision }
  }

  return {
    search: async query =>
      searchPlaces(view, query, new Budget(inlineSteps)) ??
      ((await queries.ask({ kind: 'search', query }, view)) as SearchResult),
    nearby: async query =>
      nearbyPlaces(view, query, new Budget(inlineSteps)) ??
      ((await queries.ask({ kind: 'nearby', query }, view)) as NearbyResult),
    shortlist: async query =>
      shortlist(view, query, new Budget(inlineSteps)) ??
      ((await queries.ask({ kind: 'shortlist', query }, view)) as ShortlistOutcome),
    coordinates: id => coordinatesOf(view, id),
    apply: changes =>
      inTurn(async () => {
        overlay.apply(changes)
        await renew(view.parts[0]!.segment)
      }),
    swap: main =>
      inTurn(async () => {
        overlay.dropUpTo(main.facts.revision)
        await renew(new Segment(main))
      }),
    info: () => {
      const [main, changed] = view.parts
      const replaced = main!.dead?.reduce((sum, mark) => sum + mark, 0) ?? 0
      return {
        revision: view.revision,
        ageMs: clock.nowMs() - main!.segment.facts.builtMs,
        documents: main!.segment.count - replaced + (changed?.segment.count ?? 0),
        changes: overlay.size,
        wantsRebuild: wantsRebuild(overlay.size, main!.segment.count),
      }
    },
    warm: async () => {
      await queries.ask({ kind: 'search', query: { text: 'hotels in spain', offset: 0, limit: 1 } }, view)
    },
    close: async () => {
      await Promise.all([queries.close(), builds.close()])
    },
  }
}
