import MiniSearch from 'minisearch'
import type { SearchPeer } from './search-peer.ts'

/**
 * Creates a MiniSearch index with prefixes, the documented fuzziness, terms without diacritics, and a boost by
 * popularity.
 */
export function miniSearchPlaces(): SearchPeer {
  const index = new MiniSearch<{ id: number; names: string; around: string; geo: boolean; popularity: number }>({
    fields: ['names', 'around'],
    storeFields: ['geo', 'popularity'],
    processTerm: term => term.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    searchOptions: {
      prefix: true,
      fuzzy: 0.2,
      boost: { names: 3 },
      combineWith: 'AND',
      boostDocument: (_id, _term, stored) => 1 + Number(stored?.popularity) / 10,
    },
  })
  const before = process.memoryUsage().heapUsed
  return {
    name: 'MiniSearch',
    begin: () => {},
    add: ({ id, names, surroundings, category, population, ratingCount }) =>
      index.add({
        id: Number(id),
        names: names.join('\n'),
        around: surroundings.join('\n'),
        geo: category === 'GEO',
        popularity: Math.log10(1 + population + ratingCount),
      }),
    finish: () => {},
    megabytes: () => (process.memoryUsage().heapUsed - before) / 1e6,
    search: (text, geoOnly) =>
      index
        .search(text, geoOnly ? { filter: result => result.geo === true } : {})
        .slice(0, 10)
        .map(({ id }) => id as number),
  }
}
