/** A request that is repeated with the same Idempotency-Key. */
export interface IdempotentRequest {
  /** Id of the admin token. */
  readonly tokenId: string
  readonly keyDigest: Buffer
}

/** A stored request; without an answer, it has not finished. */
export interface StoredAnswer {
  readonly bodyDigest: Buffer
  /** Time of the reservation, in milliseconds since 1970. */
  readonly atMs: number
  /** Encrypted. */
  readonly answer?: Buffer
}

/** Answers of the admin API by Idempotency-Key. */
export interface IdempotencyStore {
  /**
   * Stores a request without an answer, unless it is stored; then returns what is stored. Removes the requests before
   * `expiredMs`. Both times are in milliseconds since 1970.
   */
  reserve(
    request: IdempotentRequest,
    bodyDigest: Buffer,
    times: { readonly nowMs: number; readonly expiredMs: number },
  ): Promise<StoredAnswer | undefined>
  /** Stores the answer, and the digest of the body, which may have become known since. */
  complete(request: IdempotentRequest, answer: Buffer, bodyDigest: Buffer): Promise<void>
  /** Removes a request that changed nothing. */
  release(request: IdempotentRequest): Promise<void>
}
