/** The index thread: builds the file of the search index, or loads it into shared memory. */
import type { IndexTask } from '../compose/index-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { type LoadOutcome, loadSegment } from '../search/index/file.ts'

serveRequests<IndexTask, LoadOutcome | undefined>(async task => {
  if (task.kind === 'load') return loadSegment(task.index)
  // Imported only for a build: loading does not need the store, and each start of a service loads the index.
  const { buildIndex } = await import('../compose/build-index.ts')
  const { openEngine } = await import('../store/engine.ts')
  const engine = openEngine(task.engine, { create: false })
  try {
    await buildIndex(engine, task.index, systemClock.nowMs())
    return undefined
  } finally {
    await engine.close()
  }
})
