import { statfsSync } from 'node:fs'
import type { PastSnapshot } from './history.ts'

/** Error of a build that does not fit on the disk. Published snapshots are unchanged. */
export class NoSpace extends Error {}

/** Estimated compressed size of a record in the first build of a feed. */
const estimatedRecordBytes = 100
/** Estimated compressed size of a digest. */
const digestBytes = 40

/** Estimates the bytes that a build writes, based on the last full snapshot or else on the number of records. */
export function estimateBytes(records: number, history: readonly PastSnapshot[], withFull: boolean): number {
  const last = history.findLast(past => past.manifest.kind === 'full')?.manifest
  const perRecord =
    last && last.records > 0
      ? last.files.reduce((sum, file) => sum + file.bytes, 0) / last.records
      : estimatedRecordBytes
  return Math.ceil(records * ((withFull ? perRecord : 0) + digestBytes))
}

/** Error codes of a full disk, from the system and from SQLite. */
const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])

/** Throws NoSpace if fewer bytes are free than needed. */
export function checkSpace(folder: string, neededBytes: number, subject: string): void {
  const free = freeBytes(folder)
  if (free < neededBytes) throw new NoSpace(formatMessage(folder, neededBytes, free, subject))
}

/** Converts the error of a full disk to NoSpace and returns other errors unchanged. */
export function asNoSpace(error: unknown, folder: string, neededBytes: number, subject: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !fullDiskCodes.has(code)) return error
  return new NoSpace(formatMessage(folder, neededBytes, freeBytes(folder), subject), { cause: error })
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const formatMessage = (folder: string, needed: number, free: number, subject: string): string =>
  `${subject} needs about ${megabytes(needed)} MB in ${folder}, but only ${megabytes(free)} MB are free. ` +
  'Existing snapshots are unchanged. Free some space and build again.'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
