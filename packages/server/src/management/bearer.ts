import { AddressGuard } from '../access/address-guard.ts'
import { TokenBuckets } from '../access/token-buckets.ts'
import type { Actor } from '../domain/actor.ts'
import { isAdminFault } from '../domain/admin-fault.ts'
import type { AdminToken } from '../domain/admin-token.ts'
import { authenticateToken } from '../usecases/admin/authenticate-token.ts'
import { type Problem, problem } from './problem.ts'

/** An admin token with the actor that it represents. */
export type TokenGrant = { readonly token: AdminToken; readonly actor: Actor }

/** A request as its token is judged. */
export interface TokenUse {
  /** The header `Authorization`. */
  readonly authorization: string | undefined
  readonly requestId: string
  readonly address: string
}

/** Requests per second of one token, and their burst. */
const rate = 20
/** Maximum number of tokens with a bucket of their own; all further ones share one. */
const maxHolders = 10_000

const challenge = { 'WWW-Authenticate': 'Bearer realm="Periplus administration", charset="UTF-8"' }

type TokenStores = Parameters<typeof authenticateToken>[0]

/** Admits requests by their admin token, and bounds the rate of each token and of attempts to guess one. */
export class BearerTokens {
  readonly #stores: TokenStores
  readonly #guard = new AddressGuard()
  readonly #tokens = new TokenBuckets({ rate, burst: rate, maxHolders })

  constructor(stores: TokenStores) {
    this.#stores = stores
  }

  /** Returns the token of a request, or the error. `nowUs` is monotonic. */
  async admit({ authorization, ...request }: TokenUse, nowUs: number): Promise<TokenGrant | Problem> {
    const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    const grant = await authenticateToken(this.#stores, { ...request, secret })
    if (isAdminFault(grant)) return this.#refuse(secret, request.address, nowUs)
    const waitSeconds = this.#tokens.spend(grant.token.id, nowUs)
    if (waitSeconds === undefined) return grant
    const detail = `An admin token may send ${rate} requests per second. Send the next one after ${waitSeconds} s.`
    return problem('rate_limited', { detail, headers: { 'Retry-After': String(waitSeconds) } })
  }

  #refuse(secret: string | undefined, address: string, nowUs: number): Problem {
    const waitSeconds = this.#guard.spend(address, nowUs)
    if (waitSeconds !== undefined)
      return problem('address_limited', {
        detail: `The limit per address is ${this.#guard.limitText}. Send the next one after ${waitSeconds} s.`,
        headers: { 'Retry-After': String(waitSeconds) },
      })
    return secret === undefined
      ? problem('token_missing', {
          detail: "Send an admin token as 'Authorization: Bearer peri_admin_…'. 'periplus tokens create' makes one.",
          headers: challenge,
        })
      : problem('token_invalid', {
          detail: 'The token is unknown, has ended or was revoked. Use another one.',
          headers: challenge,
        })
  }
}
