import type { Change } from '../../domain/change.ts'
import type { Id } from '../../domain/id.ts'
import type { Clock } from '../../kit/clock.ts'
import type { FairQueue } from '../../kit/fair-queue.ts'
import type { Threads } from '../../kit/threads.ts'
import type { DocumentSource } from '../index/document.ts'
import type { LoadOutcome } from '../index/file.ts'
import type { IndexView } from '../index/index-view.ts'
import type { HeldParts } from '../index/part-files.ts'

/**
 * Dependencies of an IndexKeeper. `load` and `build` run outside of the serving thread; an aborted signal ends them.
 * The memory of parts that are held is used again where the file has them, too.
 */
export interface IndexSources {
  /** Path of the index file; other processes may replace it with a newer one. */
  readonly file: string
  load(signal: AbortSignal, held: HeldParts): Promise<LoadOutcome>
  /** Builds the file from the store, and loads it; undefined if another node builds it, whose file will follow. */
  build(signal: AbortSignal, held: HeldParts): Promise<LoadOutcome | undefined>
  /** True if other processes build the index. */
  readonly isBuiltElsewhere?: boolean
  lastSeq(): Promise<number>
  /** Changes after a sequence number, oldest first; undefined when some of them have been pruned. */
  changesAfter(seq: number, limit: number): Promise<readonly Change[] | undefined>
  /** The current state of a location; for a merged location its survivor. */
  entry(id: Id): Promise<DocumentSource | undefined>
  readonly clock: Clock
  readonly threads: Threads
  /** The queue of queries that are too long for the calling thread. */
  readonly queue: FairQueue
  /** Called with each new view of the index. */
  readonly onView?: ((view: IndexView) => void) | undefined
  /** Called once for each failed attempt, with the milliseconds until the next one. */
  readonly onError: (error: unknown, retryMs: number) => void
}
