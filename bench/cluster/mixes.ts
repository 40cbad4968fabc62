import { createRandom } from '../../packages/server/src/kit/random.ts'
import type { Mix } from './measure.ts'

const words = ['museum', 'hotel roma', 'prado', 'restaurants in paris', 'berlin hauptbahnhof', 'tokyo', 'louvr']

/** Mixes of each comparison, by name. */
export interface Mixes {
  /** For one node of each kind. */
  readonly stores: Readonly<Record<string, Mix>>
  /** For one node and several. */
  readonly nodes: Readonly<Record<string, Mix>>
  /** For services without caches. */
  readonly misses: Readonly<Record<string, Mix>>
}

/** Creates the mixes that are wanted. */
export function createMixes(
  { places, ...load }: { places: number } & Pick<Mix, 'seconds' | 'connections'>,
  isWanted: (name: string) => boolean,
): Mixes {
  const random = createRandom(1)
  const pick = (count: number) => Math.floor(random() * count)
  const list = (make: () => string) => Array.from({ length: 20_000 }, make)
  const hot = Array.from({ length: 1000 }, () => `/locations/${1 + pick(places)}?version=1`)
  const uniform = list(() => `/locations/${1 + pick(places)}?version=1`)
  const search = list(() => `/locations/search?query=${encodeURIComponent(words[pick(words.length)]!)}&version=1`)
  const common = { ...load, keys: 64, routing: 'random' } as const
  const only = (mixes: Readonly<Record<string, Mix>>) =>
    Object.fromEntries(Object.entries(mixes).filter(([name]) => isWanted(name.split(',')[0]!)))
  return {
    stores: only({
      hot: { ...common, paths: hot },
      uniform: { ...common, paths: uniform },
      search: { ...common, paths: search },
      lone: { ...common, paths: hot, keys: 1, connections: 1 },
    }),
    nodes: only({
      'nodes, by key': { ...common, paths: hot, routing: 'key' },
      'nodes, at random': { ...common, paths: hot },
      busy: { ...common, paths: hot, keys: 1 },
    }),
    misses: only({ miss: { ...common, paths: uniform } }),
  }
}
