import type { FastifyInstance } from 'fastify'
import { SharedTokenBuckets } from '../access/shared-token-buckets.ts'
import type { Config } from '../config/load.ts'
import { createProxyMatcher } from '../config/trusted-proxies.ts'
import type { AutocompleteIndex } from '../domain/autocomplete.ts'
import type { ChangeLog, ReviewReader } from '../domain/data-stores.ts'
import type { FeedLibrary } from '../domain/feed-stores.ts'
import type { GeoIndex } from '../domain/geo-contents.ts'
import type { CandidateIndex } from '../domain/match.ts'
import type { PhotoDecisions } from '../domain/photo-decisions.ts'
import type { PlaceIndex } from '../domain/search.ts'
import type { Readiness } from '../http/admin/health.ts'
import { createOperations, type OperationParts } from '../http/partner/operations/operations.ts'
import type { ServedIndex } from '../http/partner/operations/search.ts'
import type { PartnerApi } from '../http/partner/partner-api.ts'
import { createPlainWays } from '../http/partner/plain-way.ts'
import type { ReadyBodies } from '../http/partner/ready-bodies.ts'
import { LocationRenderer } from '../http/partner/render.ts'
import { createServer, type HttpSettings } from '../http/server.ts'
import type { SiteParts } from '../http/site/pages.ts'
import { inAll, perVisitor, type VisitorBuckets } from '../http/site/places/visitors.ts'
import { createTerraProfile, type Profile } from '../http/terra/profile.ts'
import type { ForwardTarget } from '../http/wire/forward.ts'
import type { Outbox } from '../http/wire/outbox.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import { indentJson } from '../kit/indent-json.ts'
import type { Log, Logger } from '../kit/log.ts'
import { zoneAt } from '../search/index/zone-at.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { LocationCache } from '../store/location-cache.ts'
import { getDefaultVersion, type Lifecycle } from '../versions/lifecycle.ts'
import { composePictures } from './pictures.ts'
import type { ServingAccount } from './serving-account.ts'
import type { ServingCaches } from './serving-caches.ts'
import type { ServingConnections } from './serving-connections.ts'
import { createFeedDocuments } from './serving-feeds.ts'
import { createServedIndex } from './serving-index.ts'
import type { ThreadLimits } from './serving-limits.ts'
import type { SharedServing } from './serving-memory.ts'
import type { ServingSearch } from './serving-search.ts'

export interface HttpParts extends ServingConnections {
  readonly layout: Layout
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly log: Logger
  readonly accessLog: Log['line']
  readonly outbox: Outbox
  readonly traffic: Traffic
  readonly caches: Pick<ServingCaches, 'locations' | 'authenticator'>
  readonly reviews: ReviewReader
  readonly changes: ChangeLog
  readonly photos: PhotoDecisions
  readonly usage: ThreadLimits & Pick<PartnerApi, 'refusals'>
  readonly search: Pick<ServingSearch, 'recommender'> & {
    readonly index: PlaceIndex & CandidateIndex & AutocompleteIndex & GeoIndex & { readonly ready: boolean }
  }
  readonly packed: ReadyBodies
  readonly account: Pick<ServingAccount, 'reader'>
  readonly feeds: FeedLibrary
  readonly settings: HttpSettings
  readonly readiness: Readiness
  readonly management: ForwardTarget | undefined
  readonly isDraining: () => boolean
  /** Shared memory; undefined if one thread serves. */
  readonly shared: SharedServing | undefined
}

interface PageParts {
  readonly index: ServedIndex
  readonly renderer: LocationRenderer
  readonly stores: ReturnType<typeof openStores>
}

/** Composes what the public pages show. */
function composePages(config: Config, parts: HttpParts, { index, renderer, stores }: PageParts): SiteParts {
  const { lifecycle, clock, layout, settings, feeds, search, changes, reviews, caches } = parts
  const { locations } = caches
  const { pictures } = stores

  return {
    lifecycle,
    clock,
    settings,
    offer: config,
    feedDocuments: createFeedDocuments(layout),
    photos: pictures && { ...stores, pictures },
    places: {
      index,
      locations,
      reviews,
      recommender: search.recommender,
      zoneAt,
      toJson: entry => {
        const { version } = getDefaultVersion(lifecycle, clock.nowMs())
        return version ? indentJson(renderer.renderOne(entry, version, 'location', []).body.toString()) : ''
      },
      version: () => getDefaultVersion(lifecycle, clock.nowMs()).name,
      visitorBuckets: openVisitorBuckets(parts.shared),
    },
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

function openVisitorBuckets(shared: SharedServing | undefined): VisitorBuckets | undefined {
  if (!shared) return undefined
  const of = { memory: shared.memory.visitors, thread: shared.thread }
  return { visitors: new SharedTokenBuckets(perVisitor, of), searches: new SharedTokenBuckets(inAll, of) }
}

/** Creates the renderer of a service. Its settings are read later, because the public URL is known once it listens. */
const createRenderer = (settings: { readonly publicUrl: string }, clock: Clock): LocationRenderer =>
  new LocationRenderer({
    get publicUrl() {
      return settings.publicUrl
    },
    opening: { nowMs: () => clock.nowMs(), zoneAt },
  })

/** Returns the stores that operations and pages read, and the pictures that the service keeps. */
const openStores = (config: Config, { caches, reviews, changes, photos, log }: HttpParts) => ({
  ...{ locations: caches.locations, reviews, changes, photos },
  pictures: composePictures(config, log),
})

/** Creates the HTTP server of the partner port. */
export function composeHttp(config: Config, parts: HttpParts): FastifyInstance {
  const { lifecycle, clock, log, settings, readiness, usage, search } = parts
  const { authenticator, locations } = parts.caches
  const { limits, badKeys, refusals, accountLimits, live } = usage
  const [index, renderer] = [createServedIndex(search.index), createRenderer(settings, clock)]
  const stores = openStores(config, parts)
  const operationParts = {
    ...stores,
    index,
    recommender: search.recommender,
    feeds: parts.feeds,
    lifecycle,
    renderer,
    ready: parts.packed,
    clock,
    settings,
  }
  const { outbox, traffic, accessLog, connections, unsent, reader, isDraining } = parts
  const transport = { outbox, traffic, connections, unsent, reader, log, accessLog, isDraining, settings }
  const partner = {
    lifecycle,
    authenticator,
    packageTable: config,
    limits,
    badKeys,
    refusals,
    unsent,
    operations: createOperations(operationParts),
    clock,
    log,
    settings,
  }
  const ready = addCachedBodies(parts.packed, locations, renderer)
  const isProxy = createProxyMatcher(config.server.trustedProxies)
  return createServer({
    transport,
    partner,
    plainWays: config.server.fastPath ? createPlainWays({ api: partner, transport, ready, isProxy }) : undefined,
    profile: config.server.profile === 'terra' ? composeTerra(partner, operationParts) : undefined,
    account: {
      reader: parts.account.reader,
      live,
      packageTable: config,
      limits: accountLimits,
      authenticator,
      badKeys,
      clock,
      log,
      settings,
    },
    site: composePages(config, parts, { index, renderer, stores }),
    readiness,
    settings,
    management: parts.management,
  })
}

/** Composes the Terra profile, for which no bodies are made before. */
const composeTerra = (partner: PartnerApi, parts: OperationParts): Profile =>
  createTerraProfile(partner, createOperations({ ...parts, ready: { find: () => undefined } }))

/** Adds the bodies of cached locations to those that are packed. */
const addCachedBodies = (packed: ReadyBodies, cache: LocationCache, renderer: LocationRenderer): ReadyBodies => ({
  find: (id, version) => {
    const found = packed.find(id, version)
    if (found) return found
    const entry = cache.recall(id)
    return entry && renderer.renderOne(entry, version, 'location', [])
  },
})
