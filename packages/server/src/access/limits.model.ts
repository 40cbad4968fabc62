/**
 * The limits of SPEC §8 and once more, as plainly as they can be said: levels that drain, lists of what
 * was charged, an object per subject, no slots. Tests and the benchmark judge the real limiter by it.
 */
export interface ModelPolicy {
  readonly bucket: string
  readonly rate: number
  readonly burst: number
  readonly quota: number
}

interface Book {
  level: number
  levelAt: number
  window: { startMs: number; charged: number[] } | undefined
  episode: { began: number; until: number } | undefined
  strikes: number
  struckAt: number
}

export interface ModelOutcome {
  readonly refused: string[]
  readonly retryAfterS: number | undefined
}

const dayMs = 24 * 60 * 60 * 1000
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

export class ModelLimits {
  readonly #books = new Map<string, Book>()

  admit(subject: string, policies: readonly ModelPolicy[], now: number, least: number): ModelOutcome {
    const nowMs = Math.floor(now / 1000)
    const cost = (p: ModelPolicy) => Math.ceil(1_000_000 / p.rate)
    const views = policies.map(policy => {
      const book = this.#book(subject, policy, now)
      if (book.window && nowMs >= book.window.startMs + dayMs) book.window = undefined
      if (book.episode && now >= book.episode.until) {
        book.episode = undefined
        book.strikes = Math.max(0, book.strikes - 1)
      }
      const inLoop = book.episode !== undefined && now > book.episode.began + 500_000
      const lacking = Math.max(0, book.level + cost(policy) - policy.burst * cost(policy))
      const full = sum(book.window?.charged ?? []) + least > policy.quota
      return { policy, book, inLoop, lacking, full }
    })
    if (views.every(view => !view.inLoop && view.lacking === 0 && !view.full)) {
      for (const { policy, book } of views) {
        book.level += cost(policy)
        book.window ??= { startMs: nowMs, charged: [] }
      }
      return { refused: [], retryAfterS: undefined }
    }
    const refused = new Set<string>()
    const waits = [1]
    for (const { policy, book, inLoop, lacking, full } of views) {
      const names = policy.bucket === 'package' ? ['rate', 'daily'] : ['search', 'search-daily']
      if (inLoop && book.episode) {
        refused.add('penalty')
        if (book.strikes === 0 || now >= book.struckAt + 1_000_000) {
          book.strikes = Math.min(7, book.strikes + 1)
          book.struckAt = now
        }
        const wait = Math.min(60, [0.5, 1, 2, 4, 8, 16, 32, 64][book.strikes]!) * 1_000_000
        book.episode.until = Math.max(book.episode.until, now + wait)
      } else if (lacking > 0) refused.add(names[0]!)
      if (full) {
        refused.add(names[1]!)
        waits.push(book.window ? (book.window.startMs + dayMs) * 1000 - now : 0)
      }
      waits.push(lacking, book.episode ? book.episode.until - now : 0)
    }
    const retryAfterS = Math.ceil(Math.max(...waits) / 1_000_000)
    if (!views.some(view => view.full)) {
      for (const { book, lacking } of views) {
        if (lacking === 0) continue
        if (!book.episode) book.episode = { began: now, until: now + retryAfterS * 1_000_000 }
        else if (now + lacking > book.episode.until) book.episode.until = now + retryAfterS * 1_000_000
      }
    }
    return {
      refused: [...refused],
      retryAfterS: views.some(view => least > view.policy.quota) ? undefined : retryAfterS,
    }
  }

  /** Gives the names of the quotas that the units do not fit into. */
  charge(subject: string, policies: readonly ModelPolicy[], now: number, units: number): string[] {
    const full = policies.filter(policy => {
      const window = this.#book(subject, policy, now).window
      return units > 0 && sum(window?.charged ?? []) + units > policy.quota
    })
    if (full.length === 0) for (const policy of policies) this.#book(subject, policy, now).window?.charged.push(units)
    return full.map(policy => (policy.bucket === 'package' ? 'daily' : 'search-daily'))
  }

  /** Calls and units left, as headers tell them. */
  left(subject: string, policy: ModelPolicy, now: number): { rate: number; quota: number } {
    const book = this.#book(subject, policy, now)
    const cost = Math.ceil(1_000_000 / policy.rate)
    const open = book.window && Math.floor(now / 1000) < book.window.startMs + dayMs ? book.window : undefined
    return {
      rate: book.episode && now < book.episode.until ? 0 : Math.floor(policy.burst - book.level / cost),
      quota: Math.max(0, policy.quota - sum(open?.charged ?? [])),
    }
  }

  #book(subject: string, policy: ModelPolicy, now: number): Book {
    const id = `${policy.bucket} ${subject}`
    let book = this.#books.get(id)
    if (!book) {
      book = { level: 0, levelAt: now, window: undefined, episode: undefined, strikes: 0, struckAt: 0 }
      this.#books.set(id, book)
    }
    book.level = Math.max(0, book.level - (now - book.levelAt))
    book.levelAt = now
    book.level = Math.min(book.level, policy.burst * Math.ceil(1_000_000 / policy.rate))
    return book
  }
}
