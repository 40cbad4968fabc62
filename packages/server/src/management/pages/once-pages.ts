import { createOpaqueToken } from '../../identity/opaque-token.ts'
import type { PageView } from './page-route.ts'

/** Maximum time between a form and the request for its page, in milliseconds. */
const maxAgeMs = 60_000
/** Maximum number of pages that wait; the oldest is dropped. */
const maxPages = 1000

interface WaitingPage {
  readonly sessionId: string
  readonly page: PageView
  readonly keptMs: number
}

/**
 * Pages that are shown once, after the redirect of the form that made them: a new secret, the result of a test. Only
 * the session that sent the form can open one. Loading the address again shows the page that is always there.
 */
export class OncePages {
  readonly #pages = new Map<string, WaitingPage>()

  /** Keeps a page and returns the token with which its session opens it. */
  keep(sessionId: string, page: PageView, nowMs: number): string {
    for (const [token, { keptMs }] of this.#pages) {
      if (nowMs - keptMs < maxAgeMs && this.#pages.size < maxPages) break
      this.#pages.delete(token)
    }
    const token = createOpaqueToken()
    this.#pages.set(token, { sessionId, page, keptMs: nowMs })
    return token
  }

  /** Returns a page and forgets it; undefined if it was shown, is too old, or belongs to another session. */
  take(sessionId: string, token: string, nowMs: number): PageView | undefined {
    const waiting = this.#pages.get(token)
    if (waiting?.sessionId !== sessionId) return undefined
    this.#pages.delete(token)
    return nowMs - waiting.keptMs < maxAgeMs ? waiting.page : undefined
  }
}

/** Returns a path with the token of a page that is shown once. */
export function withOnce(path: string, token: string): string {
  const [before, fragment] = path.split('#', 2) as [string, string?]
  const joined = `${before}${before.includes('?') ? '&' : '?'}once=${token}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
