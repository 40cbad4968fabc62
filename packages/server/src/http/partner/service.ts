import type { Authenticator } from '../../access/authenticate.ts'
import type { Fault } from '../../domain/fault.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Recommender } from '../../domain/recommendation.ts'
import type { PlaceIndex } from '../../domain/search.ts'
import type { FeedLibrary, LocationReader, ReviewReader } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Logger } from '../../kit/log.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import type { FeedDocuments } from '../site/feeds-pages.ts'
import type { CorsSettings } from '../wire/cors.ts'
import type { Outbox } from '../wire/outbox.ts'
import type { Traffic } from '../wire/traffic.ts'
import type { RequestMeter } from './metering.ts'
import type { LocationRenderer } from './render.ts'

/** All that serving a request needs; composed once. */
export interface Service {
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly index: ServedIndex
  readonly recommender: Recommender
  readonly feeds: FeedLibrary
  readonly feedDocuments: FeedDocuments
  readonly authenticator: Authenticator
  readonly packageTable: PackageTable
  /** Which versions and endpoints there are, and until when. */
  readonly lifecycle: Lifecycle
  readonly metering: RequestMeter
  readonly renderer: LocationRenderer
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Logger
  readonly traffic: Traffic
  /** Takes one line of JSON a request, line end included. */
  readonly accessLog: (line: string) => void
  /** Whether the service takes no more connections: then each answer is the last of its own. */
  readonly isEnding: () => boolean
  readonly settings: HttpSettings
}

/** The index of places, once there is one. */
export interface ServedIndex extends PlaceIndex {
  /** 503 while the index is being built for the first time. */
  notReady(): Fault | undefined
}

export interface HttpSettings extends CorsSettings {
  /** Absolute, no slash at its end. Known once the server listens. */
  readonly publicUrl: string
  /** `''` or `/path`, no slash at its end. */
  readonly basePath: string
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly keysInQuery: boolean
  readonly maxAgeSeconds: number
  /** Versions in which feeds are no longer delivered. */
  readonly endedFeedVersions: readonly string[]
  /** The landing page shows these keys, in a demo only. */
  readonly demo: DemoSite | false
}

/** Secrets that a demo's landing page calls with. */
export interface DemoSite {
  /** For the search as one types: search limits of its own. */
  readonly searchKey: string
  /** The demo key of the package Discover, with exactly its limits. */
  readonly discoverKey: string
}
