import { Worker } from 'node:worker_threads'
import type { Config } from '../config/load.ts'
import type { BuiltSnapshot, FeedBuildRequest, FeedBuildStep } from '../domain/feed-build.ts'
import { threadEntry } from '../kit/thread-entry.ts'

/** What a build thread is given. */
export interface BuildTask {
  readonly config: Config
  readonly request: FeedBuildRequest
  /** For another build to end; otherwise it is refused. */
  readonly mayWait: boolean
}

/** A message of a build thread. */
export type BuildMessage =
  | FeedBuildStep
  | { readonly what: 'built'; readonly built: BuiltSnapshot[] }
  | { readonly what: 'refused'; readonly sentence: string }

/** Megabytes; what a build holds does not grow with what it reads. */
export const buildLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

const entry = threadEntry('../threads/feed-build', import.meta.url)

/** Builds feeds in a thread; gives what was built, or a sentence that says why nothing was. */
export function buildFeedsInThread(
  task: BuildTask,
  onStep: (step: FeedBuildStep) => void,
): Promise<BuiltSnapshot[] | { readonly refused: string }> {
  const worker = new Worker(entry, { workerData: task, resourceLimits: buildLimits })
  return new Promise((resolve, reject) => {
    worker.on('message', (told: BuildMessage) => {
      if (told.what === 'built') resolve(told.built)
      else if (told.what === 'refused') resolve({ refused: told.sentence })
      else onStep(told)
    })
    worker.once('error', reject)
    worker.once('exit', code => reject(new Error(`The build thread ended with ${code}.`)))
  })
}
