import type { Engine } from '../domain/stores.ts'
import { buildSegment } from '../search/index/build.ts'
import { documentOf, type SearchDocument } from '../search/index/document.ts'
import { saveSegment } from '../search/index/file.ts'
import { withFeedSource } from './feed-folder.ts'
import { Packer, type PackTask, parseOnce } from './pack-bodies.ts'

/** Called periodically with the number of places read so far. */
export type BuildProgress = (done: number, total: number) => void

/**
 * Builds the search index from the current data and replaces its file. The same pass makes the packed files that
 * `packs` returns for the number of places; a failure of theirs is thrown when the index has been saved.
 */
export const buildIndex = (
  engine: Engine,
  index: string,
  nowMs: number,
  progress: BuildProgress = () => {},
  packs: (places: number) => readonly PackTask[] = () => [],
): Promise<void> =>
  withFeedSource(engine, async source => {
    const total = await source.locations.count()
    const packer = new Packer(packs(total), source, nowMs)
    const documents = async function* (): AsyncGenerator<SearchDocument> {
      let done = 0
      for await (const entries of source.locations.all()) {
        for (const entry of entries) {
          const parsed = parseOnce(entry)
          packer.add(parsed)
          yield documentOf(parsed)
        }
        done += entries.length
        progress(done, total)
      }
    }
    try {
      saveSegment(index, await buildSegment(documents(), { revision: source.position.seq, nowMs }))
      packer.commit()
    } catch (error) {
      packer.discard()
      throw error
    }
  })
