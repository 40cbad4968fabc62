import type { KeyObject } from 'node:crypto'
import type { SignInStore } from '../../domain/session.ts'
import { createOpaqueToken, digestOpaqueToken } from '../../identity/opaque-token.ts'
import { createSecretBox } from '../../kit/secret-box.ts'
import { Html, html } from '../../web/html.ts'
import type { PageView } from './page-view.ts'

/** Maximum time between a form and the request for its page, in milliseconds. */
const maxAgeMs = 60_000

/** The parts of a page that are markup. */
const markup = ['content', 'lead', 'actions', 'top', 'head'] as const

/** Dependencies of the pages that are shown once. */
export interface OncePagesParts {
  /** Any node can answer the next request of a session, so that pages wait in the store. */
  readonly store: Pick<SignInStore, 'add' | 'take'>
  readonly pepper: KeyObject
}

/**
 * Pages that are shown once, after the redirect of the form that made them: a new secret, the result of a test. Only
 * the session that sent the form can open one. Loading the address again shows the page that is always there. The store
 * has the digest of the token, and the page encrypted under the pepper and the token.
 */
export class OncePages {
  readonly #store: OncePagesParts['store']
  readonly #pepper: KeyObject

  constructor({ store, pepper }: OncePagesParts) {
    this.#store = store
    this.#pepper = pepper
  }

  /** Keeps a page and returns the token with which its session opens it. */
  async keep(sessionId: string, page: PageView, nowMs: number): Promise<string> {
    const token = createOpaqueToken()
    const data = this.#box(token).seal(formatPage(page), sessionId).toString('base64')
    await this.#store.add({ kind: 'page', data, expiresMs: nowMs + maxAgeMs }, digestOpaqueToken(token), nowMs)
    return token
  }

  /** Returns a page and forgets it; undefined if it was shown, is too old, or belongs to another session. */
  async take(sessionId: string, token: string, nowMs: number): Promise<PageView | undefined> {
    const waiting = await this.#store.take(digestOpaqueToken(token), 'page', nowMs)
    const text = waiting && this.#box(token).open(Buffer.from(waiting.data, 'base64'), sessionId)
    return text === undefined ? undefined : parsePage(text)
  }

  #box(token: string) {
    return createSecretBox(this.#pepper, `page ${token}`)
  }
}

/** Returns a page as JSON: its markup as text. */
function formatPage(page: PageView): string {
  const texts = markup.flatMap(name => (page[name] === undefined ? [] : [[name, html`${page[name]}`.text]]))
  return JSON.stringify({ ...page, ...Object.fromEntries(texts) })
}

function parsePage(text: string): PageView {
  const page = JSON.parse(text) as PageView
  const parts = markup.flatMap(name => (page[name] === undefined ? [] : [[name, new Html(String(page[name]))]]))
  return { ...page, ...Object.fromEntries(parts) }
}

/** Returns a path with the token of a page that is shown once. */
export function withOnce(path: string, token: string): string {
  const [before, fragment] = path.split('#', 2) as [string, string?]
  const joined = `${before}${before.includes('?') ? '&' : '?'}once=${token}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
