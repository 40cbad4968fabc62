import type { AdminFaultFacts } from '../domain/admin-fault.ts'
import { type Edition, listParts } from '../domain/feed.ts'
import { feedSpaceText } from '../domain/feed-build.ts'
import { findDiskFailure } from '../domain/store-errors.ts'
import { getFreeBytes } from '../kit/free-space.ts'
import type { EditionHistory } from './history.ts'

/** Error of a build that does not fit on the disk. Published snapshots are unchanged. */
export class NoSpace extends Error {
  readonly facts: AdminFaultFacts['feed_space_missing']

  constructor(facts: AdminFaultFacts['feed_space_missing'], options?: ErrorOptions) {
    super(feedSpaceText(facts), options)
    this.facts = facts
  }
}

/** Estimated compressed size of a record in the first build of a feed. */
const estimatedRecordBytes = 100
/** Estimated compressed size of a digest. */
const digestBytes = 40

/** Estimates the bytes that a build writes, based on the last full snapshot or else on the number of records. */
export function estimateBuildBytes(records: number, { snapshots }: EditionHistory, withFull: boolean): number {
  const last = snapshots.findLast(past => past.manifest.kind === 'full')?.manifest
  const perRecord =
    last && last.records > 0
      ? listParts(last).reduce((sum, file) => sum + file.bytes, 0) / last.records
      : estimatedRecordBytes
  return Math.ceil(records * ((withFull ? perRecord : 0) + digestBytes))
}

/** Throws NoSpace if fewer bytes are free than needed. */
export function checkSpace(folder: string, neededBytes: number, { feed, version }: Edition): void {
  const freeBytes = getFreeBytes(folder)
  if (freeBytes < neededBytes) throw new NoSpace({ feed, version, folder, neededBytes, freeBytes })
}

/** Converts the error of a full disk to NoSpace and returns other errors unchanged. */
export function asNoSpace(error: unknown, folder: string, neededBytes: number, { feed, version }: Edition): unknown {
  if (findDiskFailure(error)?.kind !== 'disk_full') return error
  return new NoSpace({ feed, version, folder, neededBytes, freeBytes: getFreeBytes(folder) }, { cause: error })
}
