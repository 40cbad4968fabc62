/** Maximum page size with early termination; for larger pages all documents are compared. */
const maxPage = 200

/** The best scores so far, as many as the page needs. */
export class BestScores {
  readonly #page: number
  /** Ascending. */
  readonly #scores: number[] = []

  /** `page` is the number of results that have to be in their final order. */
  constructor(page: number) {
    this.#page = page
  }

  /** Number of documents that have to be in their final order, or 0 if all documents are compared. */
  get wanted(): number {
    return this.#page <= maxPage ? this.#page : 0
  }

  /** Returns true if a score is too low for the page. */
  exclude(score: number): boolean {
    return this.#page <= maxPage && this.#scores.length === this.#page && this.#scores[0]! > score
  }

  add(score: number): void {
    const scores = this.#scores
    if (this.#page > maxPage) return
    if (scores.length === this.#page) {
      if (this.#page === 0 || score <= scores[0]!) return
      scores.shift()
    }
    let at = scores.length
    scores.push(score)
    for (; at > 0 && scores[at - 1]! > score; at--) scores[at] = scores[at - 1]!
    scores[at] = score
  }
}
