import type { IncomingHttpHeaders } from 'node:http'
import type { Authenticator } from '../../access/authenticate.ts'
import type { Fault } from '../../domain/fault.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Logger } from '../../kit/log.ts'
import type { BadKeyLimits } from '../../limits/bad-keys.ts'
import type { CallLimits } from '../../limits/call-limits.ts'
import type { RefusalCounts } from '../../limits/refusal-counts.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { UnsentResponses } from '../wire/unsent-responses.ts'
import type { Operations } from './call.ts'
import type { Bucket } from './routes.ts'

/** A request whose route is known. */
export interface RoutedRequest {
  readonly id: string
  /** Path and query, without secrets. */
  readonly path: string
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
  /** The address of the client, as the nearest trusted proxy reports it. */
  readonly address: string
  /** Returns true if the client has closed its connection. */
  readonly isGone: () => boolean
  /** Reads the body; undefined for operations without one. */
  readonly readBody?: () => Promise<Buffer | Fault>
}

/** The parts that process calls of partners. */
export interface PartnerApi {
  /** The versions and endpoints, with their deprecation and sunset dates. */
  readonly lifecycle: Lifecycle
  readonly authenticator: Authenticator
  readonly packageTable: PackageTable
  readonly limits: Readonly<Record<Bucket, CallLimits>>
  readonly badKeys: BadKeyLimits
  /** Counts calls of known keys that are in no usage record. */
  readonly refusals: Pick<RefusalCounts, 'count'>
  readonly unsent: Pick<UnsentResponses, 'check'>
  readonly operations: Operations
  readonly clock: Clock
  readonly log: Logger
  readonly settings: PartnerSettings
}

export interface PartnerSettings {
  /** Absolute, without a trailing slash. Known once the server listens. */
  readonly publicUrl: string
  /** `''` or `/path`, without a trailing slash. */
  readonly basePath: string
  /** Accepts keys in the query. */
  readonly keysInQuery: boolean
  /** Time for which clients may cache a response. */
  readonly maxAgeSeconds: number
}
