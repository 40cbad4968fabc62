import type { NearbyQuery, NearbyResult, QueryCaller, SearchQuery, SearchResult } from '../../src/domain/search.ts'
import { FairQueue } from '../../src/kit/fair-queue.ts'
import { createRandom } from '../../src/kit/random.ts'
import { AreaPlaces } from '../../src/search/index/area-places.ts'
import { Budget } from '../../src/search/index/budget.ts'
import { buildSegment } from '../../src/search/index/build.ts'
import { buildParts } from '../../src/search/index/build-parts.ts'
import type { SearchDocument } from '../../src/search/index/document.ts'
import { singlePart } from '../../src/search/index/index-data.ts'
import { type IndexView, viewOfIndex } from '../../src/search/index/index-view.ts'
import { allIds } from '../../src/search/index/part-plan.ts'
import { scoreParts } from '../../src/search/index/score-parts.ts'
import { withBestLists } from '../../src/search/query/build-best-lists.ts'
import type { DocumentSet } from '../../src/search/query/document-set.ts'
import { nearbyPlaces } from '../../src/search/query/nearby-places.ts'
import { searchPlaces } from '../../src/search/query/search-places.ts'

/** Returns a search document with defaults for the members that a test does not set. */
export const place = (id: number | bigint, name: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  id: BigInt(id),
  names: [name],
  primaryName: 0,
  codes: [],
  category: 'OTHER',
  categoryIds: [],
  labels: [],
  addresses: [],
  surroundings: [],
  latitude: 0,
  longitude: 0,
  ratingCount: 0,
  population: 0,
  source: 'test',
  ...more,
})

/** Builds an index view of documents. */
export async function indexOf(documents: Iterable<SearchDocument>, revision = 1): Promise<IndexView> {
  const data = await buildSegment(documents, { revision, nowMs: 0 })
  return viewOfIndex(singlePart(data))
}

/** Builds an index view with best lists of all words that at least `minimum` documents match. */
export async function listedIndexOf(documents: Iterable<SearchDocument>, minimum: number): Promise<IndexView> {
  const data = await buildSegment(documents, { revision: 1, nowMs: 0 })
  return viewOfIndex(withBestLists(singlePart(data), minimum))
}

/** Builds an index view of parts of `size` documents, with best lists as `listedIndexOf`. */
export async function partedIndexOf(
  documents: readonly SearchDocument[],
  size: number,
  minimum: number,
): Promise<IndexView> {
  const places = new AreaPlaces()
  for (const document of documents) places.addDocument(document)
  const all = documentSetOf(documents).read(allIds)
  const parts = await Array.fromAsync(buildParts(all, size, places), part => ({ part }))
  const facts = { count: documents.length, revision: 1, builtMs: 0 }
  return viewOfIndex(withBestLists({ facts, ...scoreParts(parts, places) }, minimum))
}

/** Returns documents, ascending by id, in the form in which an index is built from them. */
export function documentSetOf(documents: readonly SearchDocument[]): DocumentSet {
  const read = async function* (range = allIds, wanted = (_: SearchDocument) => true) {
    for (const document of documents)
      if (document.id > range.after && document.id <= range.upTo && wanted(document)) yield document
  }
  return {
    count: documents.length,
    countIn: async ({ after, upTo }) => documents.filter(({ id }) => id > after && id <= upTo).length,
    read: range => read(range),
    readGeos: range => read(range, ({ category }) => category === 'GEO'),
  }
}

const unlimited = () => Budget.unlimited()

/** A caller that waits for every result. */
export const caller: QueryCaller = { subject: 'tester', isGone: () => false }

/** Creates a queue that refuses no query of a test. */
export const wideQueue = () => new FairQueue({ running: 2, waiting: 1000, waitingPerSubject: 1000 })

export const search = (index: IndexView, text: string, more: Partial<SearchQuery> = {}): SearchResult =>
  searchPlaces(index, { text, offset: 0, limit: 20, ...more }, unlimited())!

export const ids = (result: { readonly hits: readonly { readonly id: bigint }[] }): number[] =>
  result.hits.map(({ id }) => Number(id))

export const nearby = (index: IndexView, query: Partial<NearbyQuery> & Pick<NearbyQuery, 'within'>): NearbyResult =>
  nearbyPlaces(index, { sort: 'distance', offset: 0, limit: 20, ...query }, unlimited())!

const syllables = 'ka lo mi ra tes bor vin hal dro pe sul an gro wit ster mar'.split(' ')
const generic = ['Hotel', 'Bar', 'Museum', 'Park', 'Grand', 'Old']
const cities = ['Madrid', 'Athens', 'Lyon', 'New York', 'Graz']
const categories = ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'OTHER'] as const
const statuses = ['OPEN', 'CLOSED', 'TEMPORARILY_CLOSED'] as const

/** Generates places with random names that often share words. */
export function randomPlaces(count: number, seed: number): SearchDocument[] {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const word = () => pick(syllables) + pick(syllables)
  return Array.from({ length: count }, (_, i) =>
    place(i + 1, [random() < 0.5 ? pick(generic) : word(), word()].join(' '), {
      category: pick(categories),
      status: pick(statuses),
      country: pick(['ES', 'GR', 'FR', 'US']),
      surroundings: [pick(cities)],
      latitude: random() * 180 - 90,
      longitude: random() * 360 - 180,
      ...(random() < 0.5 && { rating: Math.round(random() * 400 + 100) / 100 }),
      ratingCount: Math.floor(1 / (random() + 0.001)),
      priceLevel: pick(['CHEAP', 'MODERATE', 'EXPENSIVE', 'LUXURY'] as const),
      stars: i % 6,
    }),
  )
}
