import type { AdminFault } from './admin-fault.ts'
import type { CategoryAssignment } from './category-map.ts'
import type { FeedName, SnapshotKind } from './feed.ts'
import type { FieldMapping, ImportFormat } from './import.ts'
import type { WaitingJob } from './job.ts'
import type { RecordKind } from './record-write.ts'

/** An import whose input was uploaded. */
export interface UploadedImport {
  /** Name of the uploaded file, if it is known. */
  readonly fileName?: string | undefined
  readonly kind?: RecordKind | undefined
  readonly format?: ImportFormat | undefined
  readonly source?: string | undefined
  readonly fields?: readonly FieldMapping[] | undefined
  readonly categories?: readonly CategoryAssignment[] | undefined
  readonly replace: boolean
  readonly force: boolean
  readonly dryRun: boolean
}

/** A build of feeds. */
export interface RequestedBuild {
  readonly kind?: SnapshotKind | undefined
  readonly feeds?: readonly FeedName[] | undefined
  readonly versions?: readonly string[] | undefined
  readonly force: boolean
}

/** A decision about all reviews that a scan has found. */
export interface FoundDecision {
  /** The job of the scan. */
  readonly scan: string
  readonly action: 'hide' | 'show'
  readonly reason?: string | undefined
}

/** The work that a process is started for. */
export type JobWork =
  | { readonly kind: 'import'; readonly import: UploadedImport }
  | { readonly kind: 'backup'; readonly folder: string }
  | { readonly kind: 'verify' }
  | { readonly kind: 'feeds'; readonly build: RequestedBuild }
  | { readonly kind: 'scan' }
  | ({ readonly kind: 'moderation' } & FoundDecision)

/** Starts processes for jobs, and receives their inputs. */
export interface JobProcesses {
  /** Starts the process of a waiting job. It continues when this process ends. */
  start(job: WaitingJob, work: JobWork): void
  /** Stores the input of an import as a file of the job; a fault if it has more than `maxBytes` bytes. */
  receive(job: string, input: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number | AdminFault>
  /** Keeps a received input for an import that follows a dry run, for a bounded time. */
  keep(job: string): Promise<void>
  isKept(job: string): Promise<boolean>
  /** Makes a kept input the input of another job. Returns its size in bytes; undefined if it is not kept any more. */
  reuse(job: string, kept: string): Promise<number | undefined>
  /** Removes the files of a job that was never added or has ended, its kept input included. */
  discard(job: string): Promise<void>
}
