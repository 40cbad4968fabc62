import { Worker } from 'node:worker_threads'
import type { Config } from '../config/load.ts'
import type { FeedName, SnapshotKind } from '../domain/feed.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { BuiltSnapshot, FeedRequest } from './build-feeds.ts'

/** What a build thread is given. */
export interface BuildTask {
  readonly config: Config
  readonly request: FeedRequest
  /** For another build to end; otherwise it is refused. */
  readonly mayWait: boolean
}

/** What a build thread tells on its way; `instead`: a full is built where a delta was asked for. */
export type BuildStep =
  | { readonly what: 'waiting' }
  | {
      readonly what: 'begin'
      readonly feed: FeedName
      readonly version: string
      readonly kind: SnapshotKind
      readonly instead: boolean
    }
  | { readonly what: 'progress'; readonly done: number; readonly total: number | undefined }
  | { readonly what: 'end' }

export type BuildMessage =
  | BuildStep
  | { readonly what: 'built'; readonly built: BuiltSnapshot[] }
  | { readonly what: 'refused'; readonly sentence: string }

/** Megabytes; what a build holds does not grow with what it reads. */
export const buildLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

const entry = threadEntry('../threads/feed-build', import.meta.url)

/** Builds feeds in a thread; gives what was built, or a sentence that says why nothing was. */
export function buildFeedsInThread(
  task: BuildTask,
  onStep: (step: BuildStep) => void,
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
