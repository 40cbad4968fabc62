import { rmSync } from 'node:fs'
import { markOfFile } from '../../kit/file-mark.ts'
import { ReviewsIndex } from './reviews-index.ts'
import { DamagedReviews } from './reviews-segment.ts'

/** The index of reviews that is in place, which other threads and processes replace and remove. */
export class OpenReviews {
  readonly #path: string
  #mark = ''
  #index: ReviewsIndex | undefined

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Calls `work` with the index, or without one if no usable file is in place. A file with a damaged list is removed,
   * so that it is built again, and `work` is called without it.
   */
  async use<T>(work: (index: ReviewsIndex | undefined) => Promise<T>): Promise<T> {
    this.#follow()
    try {
      return await work(this.#index)
    } catch (error) {
      if (!(error instanceof DamagedReviews)) throw error
      rmSync(this.#path, { force: true })
      return work(undefined)
    }
  }

  #follow(): void {
    const mark = markOfFile(this.#path)
    if (mark === this.#mark) return
    this.#index?.close()
    this.#index = ReviewsIndex.open(this.#path)
    this.#mark = mark
  }
}
