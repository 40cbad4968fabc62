/** The index thread: builds the file of the search index, or loads it into shared memory. */
import { buildIndex } from '../compose/build-index.ts'
import type { IndexTask } from '../compose/index-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { type LoadOutcome, loadSegment } from '../search/index/file.ts'
import { openEngine } from '../store/engine.ts'

serveRequests<IndexTask, LoadOutcome | undefined>(async task => {
  if (task.kind === 'load') return loadSegment(task.index)
  const engine = openEngine(task.engine, { create: false })
  try {
    await buildIndex(engine, task.index, systemClock.nowMs())
  } finally {
    await engine.close()
  }
  return undefined
})
