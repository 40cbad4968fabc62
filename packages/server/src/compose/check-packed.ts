import { closeSync, openSync } from 'node:fs'
import { basename } from 'node:path'
import type { FeedSource } from '../domain/feed-stores.ts'
import type { Id } from '../domain/id.ts'
import type { Engine } from '../domain/stores.ts'
import { LocationRenderer } from '../http/partner/render.ts'
import { packageVersion } from '../kit/bundled.ts'
import { loadPacked } from '../packed/load.ts'
import { PackedFile } from '../packed/packed-file.ts'
import { reasonOf } from '../packed/packed-keeper.ts'
import { registry } from '../versions/registry.ts'
import { withFeedSource } from './feed-folder.ts'
import { findDifference } from './load-packed.ts'

/** Maximum number of bodies that are reported as different. */
const maxProblems = 20

/**
 * Returns the problems of a packed file as sentences: bytes that are damaged, and bodies that differ from the store. A
 * file of another address or release is not a problem: the next start builds it again.
 */
export async function checkPacked(path: string, engine: Engine): Promise<string[]> {
  const file = openSync(path, 'r')
  try {
    const loaded = loadPacked(file, 0)
    if (loaded.outcome !== 'loaded') return [`${basename(path)} ${reasonOf(loaded)}. The next start builds it again.`]
    const { facts } = loaded.contents
    if (facts.release !== packageVersion()) return []
    const packed = new PackedFile(file, loaded.contents, () => {})
    return await withFeedSource(engine, async source => {
      const reason = await findDifference(facts, facts, source)
      if (reason !== undefined) return [`${basename(path)} ${reason}. The next start builds it again.`]
      return Array.fromAsync(findWrongBodies(packed, source))
    })
  } finally {
    closeSync(file)
  }
}

/** Yields a sentence for each body that differs from the store, and for each place without one. */
async function* findWrongBodies(packed: PackedFile, source: FeedSource): AsyncGenerator<string> {
  const { facts } = packed
  const version = registry.find(({ name }) => name === facts.version)?.version
  if (!version) return
  const renderer = new LocationRenderer(facts)
  const changed = new Set<Id>()
  for await (const ids of source.locations.changedAfter(facts.position.seq)) for (const id of ids) changed.add(id)
  let problems = 0
  for await (const entries of source.locations.all()) {
    for (const entry of entries) {
      if (changed.has(entry.id) || problems === maxProblems) continue
      const place = packed.find(entry.id)
      const isSame = place >= 0 && renderer.renderOne(entry, version, 'location', []).etag === packed.etag(place)
      if (isSame) continue
      problems++
      yield `Location ${entry.id} differs between the packed bodies and the store.`
    }
  }
}
