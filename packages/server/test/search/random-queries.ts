import type { SearchQuery, SearchType } from '../../src/domain/search.ts'

/** Returns a function that makes random queries for places whose names have some words. */
export function createQueries(words: readonly string[], cities: readonly string[], random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const edited = (word: string): string => {
    const at = Math.floor(random() * word.length)
    return pick([
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}x${word.slice(at)}`,
      word.slice(0, at),
      word,
    ])
  }
  const text = (): string =>
    pick([
      () => pick(words),
      () => edited(pick(words)),
      () => pick(words).slice(0, 1 + Math.floor(random() * 4)),
      () => `${pick(words)} ${edited(pick(words))}`,
      () => `${pick(words)}${pick(words)}`,
      () => `${edited(pick(words))} ${pick(cities)}burg`,
      () => `hotels in ${pick(cities)}`,
      () => `${pick(['cheap', '4 star', 'family friendly'])} ${pick([`hotels in ${pick(cities)}`, pick(words)])}`,
      () => `Bar ${pick(words).slice(0, 2)}`,
      () => `${pick(words)} qqqq ${pick(words)}`,
      () => `${Math.floor(random() * 13_000)} ${pick(words)} street`,
    ])()

  return (): SearchQuery => ({
    text: text(),
    offset: pick([0, 0, 0, 30, 9990]),
    limit: pick([5, 20, 100]),
    ...(random() < 0.3 && { type: pick<SearchType>(['ADDRESS', 'COMBINED']) }),
    ...(random() < 0.3 && { near: { latitude: random() * 180 - 90, longitude: random() * 360 - 180 } }),
    ...(random() < 0.2 && { geoName: pick(cities) }),
    ...(random() < 0.2 && { categories: ['HOTEL'] as const }),
    ...(random() < 0.2 && { statuses: ['OPEN'] as const }),
  })
}

export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item))
