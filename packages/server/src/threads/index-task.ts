/** The index thread: loads the file of the search index into shared memory, after building it if requested. */
import type { IndexTask } from '../compose/index-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { type LoadOutcome, loadIndex } from '../search/index/file.ts'

serveRequests<IndexTask, LoadOutcome>(async task => {
  if (task.kind === 'load') return loadIndex(task.index)
  // Imported only for a build: loading does not need the store, and each start of a service loads the index.
  const { buildIndex } = await import('../compose/build-index.ts')
  const { openEngine } = await import('../store/engine.ts')
  const engine = openEngine(task.engine, { create: false })
  try {
    await buildIndex(engine, task.index, systemClock.nowMs())
  } finally {
    await engine.close()
  }
  return loadIndex(task.index)
})
