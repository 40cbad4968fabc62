import type { Review } from '../../domain/review.ts'
import { checksum, DraftFile } from '../../kit/draft-file.ts'
import { describeArrays } from '../../kit/stored-arrays.ts'
import {
  magic,
  type ReviewsFacts,
  type ReviewsHeader,
  reviewsFormat,
  type StoredSegment,
  trailerBytes,
} from './format.ts'
import { hashBytes } from './review-vectors.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** Maximum number of reviews of a segment, which bounds the memory of a build. */
const segmentReviews = 250_000
const maxLanguages = 255

/** Vector of a sentence, and the hash by which it is found. */
export interface SentenceVector {
  readonly hash: number
  readonly vector: Int8Array
}

/** Writes an index of reviews in one pass: `add` the reviews ascending by id, then `commit` or `discard`. */
export class ReviewsWriter {
  readonly #draft: DraftFile
  readonly #isKept: (term: string) => boolean
  readonly #segments: StoredSegment[] = []
  readonly #languages = new Map<string, number>()
  #segment = new SegmentBuilder()
  #vectorsAt = magic.length
  #reviews = 0
  #sentences = 0

  /** `isKept` returns true for terms that are indexed however common they are. */
  constructor(path: string, nowMs: number, isKept: (term: string) => boolean) {
    this.#isKept = isKept
    this.#draft = new DraftFile(path, nowMs)
    this.#write(Buffer.from(magic))
  }

  /** `vectors` has those of its sentences. */
  add(review: Review, vectors: readonly SentenceVector[] = []): void {
    this.#segment.add(review, this.#languageOf(review), vectors.length)
    for (const { hash, vector } of vectors) {
      const bytes = Buffer.alloc(hashBytes)
      bytes.writeUInt32LE(hash)
      this.#write(bytes, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }
    if (this.#segment.reviews === segmentReviews) this.#flush()
  }

  /** Completes the file and puts it in place. */
  commit(facts: Pick<ReviewsFacts, 'storeId' | 'position' | 'vectors'>): void {
    if (this.#segment.reviews > 0) this.#flush()
    const counts = { reviews: this.#reviews, sentences: this.#sentences, languages: [...this.#languages.keys()] }
    const header: ReviewsHeader = { facts: { ...facts, ...counts }, segments: this.#segments }
    const text = Buffer.from(JSON.stringify(header))
    const trailer = Buffer.alloc(trailerBytes)
    trailer.writeUInt32LE(text.length, 0)
    trailer.writeUInt32LE(checksum(text), 4)
    trailer.writeUInt32LE(reviewsFormat, 8)
    trailer.write(magic, 12, 'latin1')
    this.#write(text, trailer)
    this.#draft.commit()
  }

  /** Deletes what has been written. */
  discard(): void {
    this.#draft.discard()
  }

  /** Returns the number of the language of a review; 0 if it is unknown, or if there are too many. */
  #languageOf({ language }: Review): number {
    const primary = language?.split('-', 1)[0]
    if (primary === undefined) return 0
    const known = this.#languages.get(primary)
    if (known !== undefined || this.#languages.size === maxLanguages) return known ?? 0
    this.#languages.set(primary, this.#languages.size + 1)
    return this.#languages.size
  }

  #flush(): void {
    const { lists, arrays } = this.#segment.build(this.#isKept)
    const parts = (Object.keys(arrays) as (keyof typeof arrays)[]).map(name => {
      const { buffer, byteOffset, byteLength } = arrays[name]
      return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
    })
    const listsAt = this.#draft.bytes
    this.#write(Buffer.concat(lists))
    this.#segments.push({
      vectorsAt: this.#vectorsAt,
      listsAt,
      arraysAt: this.#draft.bytes,
      arrays: describeArrays(parts),
    })
    this.#write(...parts.map(({ bytes }) => bytes))
    this.#reviews += this.#segment.reviews
    this.#sentences += this.#segment.sentences
    this.#segment = new SegmentBuilder()
    this.#vectorsAt = this.#draft.bytes
  }

  #write(...pieces: readonly Uint8Array[]): void {
    try {
      for (const piece of pieces) this.#draft.write(piece)
    } catch (error) {
      this.#draft.discard()
      throw error
    }
  }
}
