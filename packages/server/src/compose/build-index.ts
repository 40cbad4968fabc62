import type { Engine } from '../domain/stores.ts'
import { buildSegment } from '../search/index/build.ts'
import { documentOf, type SearchDocument } from '../search/index/document.ts'
import { saveSegment } from '../search/index/file.ts'

/** Called periodically with the number of places read so far. */
export type BuildProgress = (done: number, total: number) => void

/** Builds the search index from the current data, and replaces the file `index`. */
export async function buildIndex(engine: Engine, index: string, nowMs: number, progress: BuildProgress = () => {}) {
  const source = await engine.openFeedSource()
  try {
    const total = await source.locations.count()
    const documents = async function* (): AsyncGenerator<SearchDocument> {
      let done = 0
      for await (const entries of source.locations.all()) {
        for (const entry of entries) yield documentOf(entry)
        done += entries.length
        progress(done, total)
      }
    }
    saveSegment(index, await buildSegment(documents(), { revision: source.position.seq, nowMs }))
  } finally {
    await source.close()
  }
}
