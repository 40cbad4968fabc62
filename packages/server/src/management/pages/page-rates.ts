import { TokenBuckets } from '../../access/token-buckets.ts'
import { formatRate } from '../../domain/limit-words.ts'

/** Maximum number of sessions with a bucket of their own; all further ones share one. */
const maxHolders = 50_000
/** Pages and forms of one session. An open page that refreshes itself takes one request in five seconds. */
const pages = { rate: 20, burst: 200, maxHolders }
/** Exports, long spans of usage, and actions that call other servers or create secrets, of one session. */
const costly = { rate: 1, burst: 30, maxHolders }

/** The wait of a session that sent too many requests, and the limit in words. */
export interface PageWait {
  readonly seconds: number
  readonly limitText: string
}

/** Bounds the pages and forms of each session, so that one reader never slows down the others. */
export class PageRates {
  readonly #pages = new TokenBuckets(pages)
  readonly #costly = new TokenBuckets(costly)

  /** Spends one request of a session; returns the wait if the session has used up its requests. `nowUs` is monotonic. */
  spend(sessionId: string, isCostly: boolean, nowUs: number): PageWait | undefined {
    const [buckets, { rate, burst }] = isCostly ? [this.#costly, costly] : [this.#pages, pages]
    const seconds = buckets.spend(sessionId, nowUs)
    return seconds === undefined ? undefined : { seconds, limitText: formatRate(rate, burst, ['request', 'requests']) }
  }
}
