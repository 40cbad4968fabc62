import type { Id } from '../../domain/id.ts'
import { hashText } from '../../kit/hash-text.ts'
import type { ReviewsIndex } from './reviews-index.ts'

/** Size of the hash before each vector. */
export const hashBytes = 4
/** Maximum number of sentences of a review that have vectors. */
export const maxVectors = 20

/** Returns the 32 bits by which the vector of a sentence is found. */
export const hashOfSentence = (sentence: string): number => hashText(sentence) % 2 ** 32

/** Returns the vectors of the sentences of a review, by their hashes; undefined if the index has none. */
export function vectorsOfReview({ segments, facts }: ReviewsIndex, id: Id): ReadonlyMap<number, Int8Array> | undefined {
  if (facts.vectors === undefined) return undefined
  const record = hashBytes + facts.vectors.dimensions
  for (const segment of segments) {
    const bytes = segment.readVectors(id, record)
    if (bytes === undefined) continue
    const found = new Map<number, Int8Array>()
    for (let at = 0; at < bytes.length; at += record)
      found.set(
        bytes.readUInt32LE(at),
        new Int8Array(bytes.buffer, bytes.byteOffset + at + hashBytes, facts.vectors.dimensions),
      )
    return found
  }
  return undefined
}
