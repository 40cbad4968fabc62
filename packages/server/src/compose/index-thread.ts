import { existsSync } from 'node:fs'
import type { SharedIndex } from '../domain/shared-indexes.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { requestInThread } from '../kit/request-in-thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { PackedLoad } from '../packed/packed-keeper.ts'
import type { LoadOutcome } from '../search/index/file.ts'
import type { HeldParts } from '../search/index/part-files.ts'
import type { PackTask } from './pack-bodies.ts'

/** A task of an index thread; `index` is the path of the index file, `blobs` the address of the blobs. */
export type IndexTask =
  | { readonly kind: 'load'; readonly index: string; readonly held?: HeldParts | undefined }
  | ({ readonly kind: 'build'; readonly held?: HeldParts | undefined } & IndexBuildTask)
  /** Files of the newest index in the blobs are not uploaded again. */
  | {
      readonly kind: 'upload'
      readonly blobs: string
      readonly index: string
      readonly newest: SharedIndex | undefined
    }
  | { readonly kind: 'fetch'; readonly blobs: string; readonly index: string; readonly newest: SharedIndex }

/** A build of the index in parts of `partPlaces`. */
export interface IndexBuildTask {
  readonly engine: EngineDescriptor
  readonly index: string
  readonly partPlaces: number
}

/** Results of the tasks, in their order. */
export type IndexResult = LoadOutcome | SharedIndex | string | undefined

/** A task of a packing thread. */
export type PackingTask =
  | ({ readonly kind: 'load'; readonly engine: EngineDescriptor } & PackedLoadTask)
  | { readonly kind: 'build'; readonly engine: EngineDescriptor; readonly task: PackTask }
  /** Builds the index of reviews; see buildReviewsIndex. */
  | ({ readonly kind: 'reviews'; readonly engine: EngineDescriptor } & ReviewsTask)

/** A task that builds the index of reviews at a path. */
export interface ReviewsTask {
  readonly path: string
  readonly minReviews: number
  readonly vectors: string | undefined
}

/** A task that loads a packed file which this process has opened. */
export interface PackedLoadTask {
  readonly file: number
  /** The origin that the file must have. */
  readonly origin: PackTask['origin']
  /** Size up to which the bodies are held in memory. */
  readonly memoryBytes: number
}

const options = {
  name: 'index',
  entry: threadEntry('../threads/index-task', import.meta.url),
  limits: { maxOldGenerationSizeMb: 4096 },
}

const packOptions = {
  ...options,
  name: 'packing',
  entry: threadEntry('../threads/packing-task', import.meta.url),
  // Node aborts the process if a thread is terminated while it creates a compressor, as packing does for each body.
  stopWithinMs: 10_000,
}

const buildLimits = { ...options.limits, maxYoungGenerationSizeMb: 48 }

/** Loads the index in a thread, if the file exists, without the parts in `held`; its arrays are in shared memory. */
export const loadIndexInThread = async (index: string, signal: AbortSignal, held?: HeldParts): Promise<LoadOutcome> =>
  existsSync(index)
    ? requestInThread<IndexTask, LoadOutcome>(options, { kind: 'load', index, held }, signal)
    : { outcome: 'missing' }

/** Builds the index file in a thread, which then loads it; both use the memory of the parts in `held` again. */
export const buildIndexInThread = (task: IndexBuildTask, signal: AbortSignal, held?: HeldParts): Promise<LoadOutcome> =>
  requestInThread<IndexTask, LoadOutcome>({ ...options, limits: buildLimits }, { kind: 'build', held, ...task }, signal)

/** Uploads the index in a thread; see uploadIndex. */
export const uploadIndexInThread = (
  blobs: string,
  index: string,
  newest: SharedIndex | undefined,
  signal: AbortSignal,
): Promise<SharedIndex | undefined> =>
  requestInThread<IndexTask, SharedIndex | undefined>(options, { kind: 'upload', blobs, index, newest }, signal)

/** Downloads an index in a thread; see fetchIndex. */
export const fetchIndexInThread = (
  blobs: string,
  newest: SharedIndex,
  index: string,
  signal: AbortSignal,
): Promise<string | undefined> =>
  requestInThread<IndexTask, string | undefined>(options, { kind: 'fetch', blobs, index, newest }, signal)

/** Loads a packed file in a thread; its arrays are in shared memory. */
export const loadPackedInThread = (
  engine: EngineDescriptor,
  task: PackedLoadTask,
  signal: AbortSignal,
): Promise<PackedLoad> =>
  requestInThread<PackingTask, PackedLoad>(packOptions, { kind: 'load', engine, ...task }, signal)

/** Builds a packed file in a thread of low priority. */
export const packInThread = (engine: EngineDescriptor, task: PackTask, signal: AbortSignal): Promise<void> =>
  requestInThread<PackingTask, void>({ ...packOptions, limits: buildLimits }, { kind: 'build', engine, task }, signal)

/** Builds the index of reviews in a thread of low priority; returns false if there are too few reviews. */
export const indexReviewsInThread = (
  engine: EngineDescriptor,
  task: ReviewsTask,
  signal: AbortSignal,
): Promise<boolean> =>
  requestInThread<PackingTask, boolean>(
    { ...packOptions, name: 'reviews', limits: buildLimits },
    { kind: 'reviews', engine, ...task },
    signal,
  )
