import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/load.ts'
import type { ChangeLog, ReviewReader } from '../domain/data-stores.ts'
import type { FeedLibrary } from '../domain/feed-stores.ts'
import type { Readiness } from '../http/admin/health.ts'
import { createOperations } from '../http/partner/operations/operations.ts'
import { LocationRenderer } from '../http/partner/render.ts'
import { createServer, type HttpSettings } from '../http/server.ts'
import type { SiteParts } from '../http/site/pages.ts'
import type { ForwardTarget } from '../http/wire/forward.ts'
import type { Outbox } from '../http/wire/outbox.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log, Logger } from '../kit/log.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { Lifecycle } from '../versions/lifecycle.ts'
import type { ServingAccount } from './serving-account.ts'
import type { ServingCaches } from './serving-caches.ts'
import type { ServingConnections } from './serving-connections.ts'
import { createFeedDocuments } from './serving-feeds.ts'
import { createServedIndex } from './serving-index.ts'
import type { ServingSearch } from './serving-search.ts'
import type { ServingUsage } from './serving-usage.ts'

export interface HttpParts extends ServingConnections {
  readonly layout: Layout
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly log: Logger
  readonly accessLog: Log['line']
  readonly outbox: Outbox
  readonly traffic: Traffic
  readonly caches: ServingCaches
  readonly reviews: ReviewReader
  readonly changes: ChangeLog
  readonly usage: ServingUsage
  readonly search: ServingSearch
  readonly account: ServingAccount
  readonly feeds: FeedLibrary
  readonly settings: HttpSettings
  readonly readiness: Readiness
  readonly management: ForwardTarget | undefined
  readonly isDraining: () => boolean
}

/** Composes what the public pages show. */
function composePages({ lifecycle, clock, layout, settings, feeds, search, changes }: HttpParts): SiteParts {
  return {
    ...{ lifecycle, clock, settings },
    feedDocuments: createFeedDocuments(layout),
    status: {
      feeds,
      isSearchReady: () => search.index.ready,
      lastChangeMs: async () => {
        const newest = await changes.after((await changes.lastSeq()) - 1, 1)
        return newest?.[0]?.atMs
      },
    },
  }
}

/** Creates the HTTP server of the partner port. */
export function composeHttp(config: Config, parts: HttpParts): FastifyInstance {
  const { lifecycle, clock, log, settings, readiness, caches, usage, search } = parts
  const { limits, badKeys, refusals, accountLimits, live } = usage
  const operations = createOperations({
    locations: caches.locations,
    reviews: parts.reviews,
    index: createServedIndex(search.index),
    recommender: search.recommender,
    feeds: parts.feeds,
    lifecycle,
    renderer: new LocationRenderer(settings),
    clock,
    settings,
  })
  const { outbox, traffic, accessLog, connections, unsent, isDraining } = parts
  const { authenticator } = caches
  return createServer({
    transport: { outbox, traffic, connections, unsent, log, accessLog, isDraining, settings },
    partner: {
      ...{ lifecycle, authenticator, packageTable: config, limits, badKeys, refusals, unsent },
      ...{ operations, clock, log, settings },
    },
    account: {
      ...{ reader: parts.account.reader, live, packageTable: config, limits: accountLimits },
      ...{ authenticator, badKeys, clock, log, settings },
    },
    site: composePages(parts),
    ...{ readiness, settings, management: parts.management },
  })
}
