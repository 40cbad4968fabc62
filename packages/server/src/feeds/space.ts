import { statfsSync } from 'node:fs'
import type { Past } from './history.ts'

/** The disk cannot take what is to be built; what is served stays as it was. */
export class NoSpace extends Error {}

/** Bytes on disk of a record that nothing is known of yet, and of its digest. */
const guessedRecordBytes = 100
const digestBytes = 40

/** About how much a build will write: what the last full took, or a guess from the number of records. */
export function estimate(records: number, history: readonly Past[], withFull: boolean): number {
  const last = history.findLast(past => past.manifest.kind === 'full')?.manifest
  const perRecord =
    last && last.records > 0 ? last.files.reduce((sum, file) => sum + file.bytes, 0) / last.records : guessedRecordBytes
  return Math.ceil(records * ((withFull ? perRecord : 0) + digestBytes))
}

/** How a full disk is told, by the system and by a store that sorts on it. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])

/** Throws NoSpace where fewer bytes are free than are needed. */
export function demandSpace(folder: string, neededBytes: number, what: string): void {
  const free = freeBytes(folder)
  if (free < neededBytes) throw new NoSpace(sentence(folder, neededBytes, free, what))
}

/** What a full disk becomes while writing; any other error stays as it is. */
export function asNoSpace(error: unknown, folder: string, neededBytes: number, what: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !fullDisk.has(code)) return error
  return new NoSpace(sentence(folder, neededBytes, freeBytes(folder), what), { cause: error })
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const sentence = (folder: string, needed: number, free: number, what: string): string =>
  `${what} needs about ${megabytes(needed)} MB in ${folder}, where ${megabytes(free)} MB are free. Nothing has changed: ` +
  'snapshots that are there are served as before. Make room and build again.'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
