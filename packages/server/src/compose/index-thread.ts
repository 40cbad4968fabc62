import type { EngineDescriptor } from '../domain/stores.ts'
import { requestInThread, threadEntry } from '../kit/thread.ts'
import type { LoadOutcome } from '../search/index/file.ts'

/** A task of an index thread; `index` is the path of the index file. */
export type IndexTask =
  | { readonly kind: 'load'; readonly index: string }
  | { readonly kind: 'build'; readonly engine: EngineDescriptor; readonly index: string }

const options = {
  name: 'index',
  entry: threadEntry('../threads/index-task', import.meta.url),
  limits: { maxOldGenerationSizeMb: 4096 },
}

/** Loads the index in a thread; its arrays are in shared memory. */
export const loadIndexInThread = (index: string, signal?: AbortSignal): Promise<LoadOutcome> =>
  requestInThread<IndexTask, LoadOutcome>(options, { kind: 'load', index }, signal)

/** Builds the index file in a thread. */
export const buildIndexInThread = (engine: EngineDescriptor, index: string, signal?: AbortSignal): Promise<void> =>
  requestInThread<IndexTask, void>(options, { kind: 'build', engine, index }, signal)
