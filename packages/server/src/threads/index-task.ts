/**
 * The index thread: builds the file of the search index, or loads it into shared memory, and the same for packed files.
 */
import { buildIndex } from '../compose/build-index.ts'
import type { IndexTask } from '../compose/index-thread.ts'
import { loadPackedFor } from '../compose/load-packed.ts'
import { packBodies } from '../compose/pack-bodies.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import type { PackedLoad } from '../packed/packed-keeper.ts'
import { type LoadOutcome, loadSegment } from '../search/index/file.ts'
import { openEngine } from '../store/engine.ts'

serveRequests<IndexTask, LoadOutcome | PackedLoad | undefined>(async task => {
  if (task.kind === 'load') return loadSegment(task.index)
  // Searches wait for the index, but no call waits for packed bodies.
  if (task.kind !== 'build') lowerPriority()
  const engine = openEngine(task.engine, { create: false })
  try {
    return await run(task, engine)
  } finally {
    await engine.close()
  }
})

async function run(task: Exclude<IndexTask, { kind: 'load' }>, engine: Engine): Promise<PackedLoad | undefined> {
  const nowMs = systemClock.nowMs()
  switch (task.kind) {
    case 'build':
      await buildIndex(engine, task.index, nowMs)
      return undefined
    case 'load-packed':
      return loadPackedFor(engine, task)
    case 'pack':
      await packBodies(engine, [task.task], nowMs)
      return undefined
  }
}
