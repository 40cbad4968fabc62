/** A worker thread that does one thing with the search index, and ends: builds its file, or loads it into shared memory. */
import { parentPort, workerData } from 'node:worker_threads'
import { buildIndex } from '../compose/build-index.ts'
import type { IndexTask } from '../compose/index-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { loadSegment } from '../search/index/file.ts'
import { openEngine } from '../store/engine.ts'

const task = workerData as IndexTask
if (task.kind === 'build') {
  const engine = openEngine(task.engine, { create: false })
  await buildIndex(engine, task.index, systemClock.nowMs())
  await engine.close()
}
parentPort!.postMessage(task.kind === 'load' ? loadSegment(task.index) : 'built')
