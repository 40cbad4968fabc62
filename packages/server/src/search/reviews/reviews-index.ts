import { closeSync, fstatSync, openSync } from 'node:fs'
import { checksum, readAll } from '../../kit/draft-file.ts'
import { readArrays } from '../../kit/stored-arrays.ts'
import { magic, type ReviewsFacts, type ReviewsHeader, reviewsFormat, segmentTypes, trailerBytes } from './format.ts'
import { ReviewsSegment } from './reviews-segment.ts'

/** Index of the words of reviews, from a file. Its terms are in memory, the lists of reviews are not. */
export class ReviewsIndex {
  readonly facts: ReviewsFacts
  readonly segments: readonly ReviewsSegment[]
  readonly #file: number

  private constructor(file: number, facts: ReviewsFacts, segments: readonly ReviewsSegment[]) {
    this.#file = file
    this.facts = facts
    this.segments = segments
  }

  /** Opens a file; undefined if it is missing, damaged, or of another format. Throws if it cannot be read. */
  static open(path: string): ReviewsIndex | undefined {
    const file = openIfExists(path)
    if (file === undefined) return undefined
    try {
      const header = readReviewsHeader(file)
      const segments = header?.segments.map(({ arrays: stored, ...at }) => {
        const read = readArrays(file, at.arraysAt, stored, segmentTypes)
        return 'reason' in read ? undefined : new ReviewsSegment(file, at, read.arrays)
      })
      if (header && segments?.every(segment => segment !== undefined))
        return new ReviewsIndex(file, header.facts, segments)
    } catch (error) {
      closeSync(file)
      throw error
    }
    closeSync(file)
    return undefined
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Reads the facts of a file, without its contents; undefined if it cannot be used. */
export function readReviewsFacts(path: string): ReviewsFacts | undefined {
  const file = openIfExists(path)
  if (file === undefined) return undefined
  try {
    return readReviewsHeader(file)?.facts
  } finally {
    closeSync(file)
  }
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readReviewsHeader(file: number): ReviewsHeader | undefined {
  const { size } = fstatSync(file)
  const trailer = Buffer.alloc(trailerBytes)
  if (size < trailerBytes || readAll(file, trailer, size - trailerBytes) < trailerBytes) return undefined
  if (trailer.toString('latin1', 12) !== magic || trailer.readUInt32LE(8) !== reviewsFormat) return undefined
  const length = trailer.readUInt32LE(0)
  if (length > size - trailerBytes) return undefined
  const text = Buffer.alloc(length)
  readAll(file, text, size - trailerBytes - length)
  return checksum(text) === trailer.readUInt32LE(4) ? (JSON.parse(text.toString()) as ReviewsHeader) : undefined
}
