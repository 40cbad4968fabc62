/**
 * The worker thread: runs the rounds that a database needs once, while its process is the elected worker. It
 * opens a separate engine.
 */
import { once } from 'node:events'
import { startWorkerRounds, type WorkerRoundEvent } from '../compose/worker-rounds.ts'
import type { WorkerTask } from '../compose/worker-thread.ts'
import { runThread } from '../kit/inside-thread.ts'
import { openEngine } from '../store/engine.ts'

await runThread<WorkerTask, WorkerRoundEvent>(async ({ data, emit, stopping }) => {
  const engine = openEngine(data.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const rounds = startWorkerRounds(engine, data.rounds, emit)
  if (!stopping.aborted) await once(stopping, 'abort')
  await rounds.stop()
  await engine.close()
})
