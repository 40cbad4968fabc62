import { createHash, createHmac, type KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { IdempotencyStore, IdempotentRequest, StoredAnswer } from '../domain/idempotency.ts'
import { createSecretBox, type SecretBox } from '../kit/secret-box.ts'
import { dayMs } from '../kit/time.ts'
import type { ApiResponse } from './api-response.ts'
import { type Problem, problem } from './problem.ts'

/** Time for which an answer is kept, in milliseconds. */
const keepMs = dayMs
/** Time after which an unfinished request counts as interrupted, in milliseconds. */
const workingMs = 5000
/** Interval between looks for the answer of a request that another node is working on, in milliseconds. */
const lookEveryMs = 50

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly tokenId: string
  readonly key: string
  /** Everything that makes two requests the same: method, target and body, except for an upload. */
  readonly content: readonly (string | Buffer)[]
  /** Reads the rest of a body that the work reads itself, and returns its digest; undefined if it is too large. */
  readonly upload?: () => Promise<Buffer | undefined>
}

/**
 * Answers repeated requests without repeating their work. An answer may hold a secret, so it is encrypted under the
 * pepper and the Idempotency-Key; the store has only a digest of that key.
 */
export class Idempotency {
  readonly #store: IdempotencyStore
  readonly #pepper: KeyObject
  readonly #nowMs: () => number
  /** Requests that this process is working on, by token and key. */
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(store: IdempotencyStore, pepper: KeyObject, nowMs: () => number) {
    this.#store = store
    this.#pepper = pepper
    this.#nowMs = nowMs
  }

  /**
   * Returns the answer of an earlier request with the key; otherwise does the work, and keeps its answer unless it is
   * an error.
   */
  async run(request: KeyedRequest, work: () => Promise<ApiResponse | Problem>): Promise<ApiResponse | Problem> {
    if (!/^[!-~]{1,255}$/.test(request.key))
      return problem('parameters_invalid', {
        detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
        fieldErrors: [{ field: 'Idempotency-Key', message: 'Expected 1 to 255 visible ASCII characters.' }],
      })
    const keyDigest = createHmac('sha256', this.#pepper).update(`idempotency ${request.key}`).digest()
    const id = { tokenId: request.tokenId, keyDigest }
    const name = `${request.tokenId} ${keyDigest.toString('hex')}`
    while (this.#running.has(name)) await this.#running.get(name)
    const running = this.#runOnce(id, request, work)
    this.#running.set(
      name,
      running.catch(() => {}).finally(() => this.#running.delete(name)),
    )
    return running
  }

  async #runOnce(
    id: IdempotentRequest,
    { key, content, upload }: KeyedRequest,
    work: () => Promise<ApiResponse | Problem>,
  ): Promise<ApiResponse | Problem> {
    const digestOfUpload = async () => {
      const body = await upload?.()
      return body && digestOf([...content, body])
    }
    // The digest of an upload is known only after the work has read it: the request is reserved without the digest, and
    // completed with it.
    const bodyDigest = digestOf(content)
    const known = await this.#reserve(id, bodyDigest)
    if (known) {
      if (!known.answer) return known.bodyDigest.equals(bodyDigest) ? unfinished() : reused()
      const repeated = upload ? await digestOfUpload() : bodyDigest
      return repeated && known.bodyDigest.equals(repeated) ? this.#decrypt(key, known.answer) : reused()
    }
    const outcome = await work()
    // After an internal error nobody knows whether the request took effect: its repetition is refused.
    if ('code' in outcome) {
      if (outcome.status < 500) await this.#store.release(id)
    } else await this.#store.complete(id, this.#encrypt(key, outcome), (await digestOfUpload()) ?? bodyDigest)
    return outcome
  }

  /**
   * Reserves a request, or returns what is stored of it. A request that another node is working on is waited for; one
   * that is older has been interrupted.
   */
  async #reserve(id: IdempotentRequest, bodyDigest: Buffer): Promise<StoredAnswer | undefined> {
    for (;;) {
      const nowMs = this.#nowMs()
      const known = await this.#store.reserve(id, bodyDigest, { nowMs, expiredMs: nowMs - keepMs })
      const isWorking = known && !known.answer && Math.abs(nowMs - known.atMs) < workingMs
      if (!isWorking || !known.bodyDigest.equals(bodyDigest)) return known
      await delay(lookEveryMs)
    }
  }

  #encrypt(key: string, response: ApiResponse): Buffer {
    return this.#box(key).seal(JSON.stringify(response), 'answer')
  }

  #decrypt(key: string, bytes: Buffer): ApiResponse {
    const text = this.#box(key).open(bytes, 'answer')
    if (text === undefined) throw new Error('The stored answer of a repeated request is damaged.')
    const response = JSON.parse(text) as ApiResponse
    return { ...response, headers: { ...response.headers, 'Idempotency-Replayed': 'true' } }
  }

  #box(key: string): SecretBox {
    return createSecretBox(this.#pepper, `idempotency ${key}`)
  }
}

function digestOf(parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

const reused = (): Problem =>
  problem('idempotency_key_reused', { detail: 'Send another Idempotency-Key with another request.' })

const unfinished = (): Problem =>
  problem('idempotency_unfinished', {
    detail:
      'An earlier request with this Idempotency-Key was interrupted, so that it may or may not have taken effect. ' +
      'Look at the resource, then repeat the request with another key if needed.',
  })
