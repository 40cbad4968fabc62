import type { FeedSource } from '../domain/feed-stores.ts'
import type { Engine } from '../domain/stores.ts'
import type { PackedFacts, PackedOrigin } from '../packed/format.ts'
import { loadPacked } from '../packed/load.ts'
import type { PackedLoad } from '../packed/packed-keeper.ts'
import { withFeedSource } from './feed-folder.ts'
import type { PackedLoadTask } from './index-thread.ts'

/**
 * Loads an open packed file into shared memory, unless it was made for something else than the origin and the store.
 */
export async function loadPackedFor(
  engine: Engine,
  { file, origin, memoryBytes }: PackedLoadTask,
): Promise<PackedLoad> {
  const loaded = loadPacked(file, memoryBytes)
  if (loaded.outcome !== 'loaded') return loaded
  const reason = await withFeedSource(engine, source => findDifference(loaded.contents.facts, origin, source))
  return reason === undefined ? loaded : { outcome: 'outdated', reason }
}

/** Returns why a packed file cannot be served, as the end of a sentence; undefined if it can. */
export async function findDifference(
  facts: PackedFacts,
  { publicUrl, release, version }: PackedOrigin,
  source: Pick<FeedSource, 'storeId' | 'follows'>,
): Promise<string | undefined> {
  if (facts.version !== version) return `was made for version ${facts.version}`
  if (facts.publicUrl !== publicUrl) return `was made for the address ${facts.publicUrl}`
  if (facts.release !== release) return `was made by release ${facts.release}`
  if (facts.storeId !== source.storeId) return 'was made for another store'
  return (await source.follows(facts.position)) ? undefined : 'does not continue with the change log of the store'
}
