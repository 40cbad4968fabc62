import { Worker } from 'node:worker_threads'
import type { EngineDescriptor } from '../domain/stores.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { LoadOutcome } from '../search/index/file.ts'

/** One task; `index` is the path of the index file. */
export type IndexTask =
  | { readonly kind: 'load'; readonly index: string }
  | { readonly kind: 'build'; readonly engine: EngineDescriptor; readonly index: string }

const entry = threadEntry('../threads/index-task', import.meta.url)

/** Loads the index in a thread; its arrays come back in shared memory. */
export const loadIndexInThread = (index: string): Promise<LoadOutcome> =>
  run({ kind: 'load', index }) as Promise<LoadOutcome>

/** Builds the index in a thread. */
export async function buildIndexInThread(engine: EngineDescriptor, index: string): Promise<void> {
  await run({ kind: 'build', engine, index })
}

function run(task: IndexTask): Promise<unknown> {
  const worker = new Worker(entry, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: 4096 } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', code => reject(new Error(`The index thread ended with ${code}.`)))
  })
}
