import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { BlobStore } from '../../domain/blob-store.ts'
import { formToWrite, requireKnownForm, UnknownForm } from '../../domain/forms.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { FileDigest } from '../../kit/checked-file.ts'
import { isFeedPath, isSmall } from './feed-paths.ts'

/**
 * All files of the feeds at one moment, by path: the contents of small ones, the digests of those that are blobs
 * (R-135).
 */
export type FeedFiles = ReadonlyMap<string, string | FileDigest>

/** One state of the feeds that nodes share. The next state has the next number; the first one has 1. */
export interface FeedCatalogue {
  readonly number: number
  readonly files: FeedFiles
}

/** The state before the first catalogue. */
export const emptyCatalogue: FeedCatalogue = { number: 0, files: new Map() }

/** Thrown when another builder has published feeds since this one has read the catalogue. */
export class FeedsChangedMeanwhile extends Error {
  constructor() {
    super('Another builder has published feeds in the meantime. Build again.')
  }
}

const folder = 'feeds/catalogue/'
/** Number of catalogues that remain, so that a reader finds the one that it has just listed. */
const kept = 5

const keyOf = (number: number): string => `${folder}${String(number).padStart(10, '0')}.json.zst`
const numberOf = (key: string): number => Number(/\/(\d{10})\.json\.zst$/.exec(key)?.[1] ?? 0)

/** Returns the number of the newest catalogue; 0 before the first one. */
export async function readNewestNumber(blobs: BlobStore): Promise<number> {
  let newest = 0
  for await (const { key } of blobs.list(folder)) newest = Math.max(newest, numberOf(key))
  return newest
}

/** Reads the newest catalogue, unless it is `known`. Throws StoreFailure if it is damaged, and UnknownForm. */
export async function readNewest(blobs: BlobStore, known: FeedCatalogue = emptyCatalogue): Promise<FeedCatalogue> {
  for (let misses = 0; ; misses++) {
    const number = await readNewestNumber(blobs)
    if (number === known.number) return known
    const body = number === 0 ? undefined : await blobs.get(keyOf(number))
    if (body) return { number, files: parse(await buffer(body), `${blobs.name} ${keyOf(number)}`) }
    // Newer ones were published since the list was read, unless the blobs are empty.
    if (number === 0 || misses === kept) return emptyCatalogue
  }
}

interface StoredCatalogue {
  /** Form of the rest. */
  readonly format: number
  readonly files: object
}

function parse(bytes: Buffer, name: string): FeedFiles {
  try {
    const { format, files: found } = JSON.parse(zstdDecompressSync(bytes).toString()) as StoredCatalogue
    requireKnownForm(name, format, 'catalogue')
    const files = Object.entries(found)
    if (files.every(isValid)) return new Map(files)
  } catch (error) {
    if (error instanceof UnknownForm) throw error
    throw new StoreFailure('damaged', name, { cause: error })
  }
  throw new StoreFailure('damaged', name)
}

function isValid([path, file]: [path: string, file: unknown]): boolean {
  if (!isFeedPath(path)) return false
  if (isSmall(path)) return typeof file === 'string'
  const { bytes, sha256 } = (file ?? {}) as Partial<FileDigest>
  return Number.isSafeInteger(bytes) && /^[0-9a-f]{64}$/.test(sha256 ?? '')
}

/**
 * Publishes the catalogue that follows another one, and deletes old ones; `scratch` is a folder for its file, `oldest`
 * the lowest level of releases that read it. Throws FeedsChangedMeanwhile if it has a successor already.
 */
export async function publishCatalogue(
  blobs: BlobStore,
  next: FeedCatalogue,
  { scratch, oldest }: { readonly scratch: string; readonly oldest: number },
): Promise<void> {
  mkdirSync(scratch, { recursive: true })
  const file = join(scratch, 'catalogue.tmp')
  const stored: StoredCatalogue = { format: formToWrite('catalogue', oldest), files: Object.fromEntries(next.files) }
  try {
    writeFileSync(file, zstdCompressSync(JSON.stringify(stored)), { mode: 0o600 })
    if ((await blobs.put(keyOf(next.number), file, { onlyIfAbsent: true })) === 'exists')
      throw new FeedsChangedMeanwhile()
  } finally {
    rmSync(file, { force: true })
  }
  for await (const { key } of blobs.list(folder)) if (numberOf(key) <= next.number - kept) await blobs.delete(key)
}
