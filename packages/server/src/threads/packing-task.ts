/** The packing thread: builds a packed file, loads it into shared memory, or builds the index of reviews. */
import { buildReviewsIndex } from '../compose/build-reviews-index.ts'
import type { PackingTask } from '../compose/index-thread.ts'
import { loadPackedFor } from '../compose/load-packed.ts'
import { packBodies } from '../compose/pack-bodies.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import type { PackedLoad } from '../packed/packed-keeper.ts'
import { openEngine } from '../store/engine.ts'

serveRequests<PackingTask, PackedLoad | boolean | undefined>(async (task, { stopping }) => {
  lowerPriority()
  const engine = openEngine(task.engine, { create: false })
  try {
    if (task.kind === 'reviews') {
      const { path, minReviews, vectors } = task
      const options = { minReviews, vectors, nowMs: systemClock.nowMs(), signal: stopping }
      return await buildReviewsIndex(engine, path, options)
    }
    if (task.kind === 'load') return await loadPackedFor(engine, task)
    await packBodies(engine, [task.task], systemClock.nowMs(), stopping)
    return undefined
  } finally {
    await engine.close()
  }
})
