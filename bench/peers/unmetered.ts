/**
 * Serves a data folder without limits, journal, fold and their headers, and otherwise like compose/server.ts. The
 * baseline of `npm run bench -- limits-http`. Argument: the data folder.
 */

import type { AddressInfo } from 'node:net'
import { createAuthenticator } from '../../packages/server/src/access/authenticate.ts'
import { withFeedSource } from '../../packages/server/src/compose/feed-folder.ts'
import { composeConnections } from '../../packages/server/src/compose/serving-connections.ts'
import { createPacked } from '../../packages/server/src/compose/serving-packed.ts'
import { composeSite } from '../../packages/server/src/compose/site.ts'
import { loadConfig } from '../../packages/server/src/config/load.ts'
import { createOperations } from '../../packages/server/src/http/partner/operations/operations.ts'
import { createPlainWays } from '../../packages/server/src/http/partner/plain-way.ts'
import { LocationRenderer } from '../../packages/server/src/http/partner/render.ts'
import { createServer, type HttpSettings } from '../../packages/server/src/http/server.ts'
import { createOutbox } from '../../packages/server/src/http/wire/outbox.ts'
import { Traffic } from '../../packages/server/src/http/wire/traffic.ts'
import { systemClock } from '../../packages/server/src/kit/clock.ts'
import { createLog } from '../../packages/server/src/kit/log.ts'
import type { CallLimits, Ticket } from '../../packages/server/src/limits/call-limits.ts'
import { openEngine } from '../../packages/server/src/store/engine.ts'
import { openLayout } from '../../packages/server/src/store/folder/layout.ts'
import { loadPepper } from '../../packages/server/src/store/folder/pepper.ts'
import { createLocationCache } from '../../packages/server/src/store/location-cache.ts'
import { resolveLifecycle } from '../../packages/server/src/versions/lifecycle.ts'

const { config } = loadConfig({ defaultFile: '', env: process.env, flags: { data: process.argv[2] } })
const layout = openLayout(config.data)
const engine = openEngine({ kind: 'sqlite', folder: config.data }, { create: false })
const { log, line } = createLog(config.server.logLevel)

const settlement = { refusal: undefined, headers: {} }
const ticket: Ticket = { refusal: undefined, settle: () => settlement }
const unlimited: CallLimits = { open: () => ticket }
const limits = { package: unlimited, search: unlimited, autocomplete: unlimited, feeds: unlimited }
const badKeys = { count: () => undefined }

const address = { publicUrl: '' }
const settings: HttpSettings = {
  get publicUrl() {
    return address.publicUrl
  },
  basePath: '',
  trustedProxies: [],
  keysInQuery: false,
  corsOrigins: [],
  corsMaxAgeSeconds: 0,
  maxAgeSeconds: config.cache.maxAgeSeconds,
  autocomplete: true,
  endedFeedVersions: [],
  docs: { contact: {} },
  meters: {},
  offer: { packages: config.packages, search: config.search },
  searchCountsTowardPackage: false,
  feedLimits: config.feeds,
  testQuota: 1000,
  adminErrors: [],
  demo: false,
  site: composeSite(config),
}
const keys = createAuthenticator(engine.keys, loadPepper(layout))
engine.watch('keys', { changed: async () => keys.clearCache(), failed: console.error })

const notIndexed = () => Promise.reject(new Error('This server has no index.'))
const notMetered = (): never => {
  throw new Error('This server has no usage.')
}
const noIndex = {
  search: notIndexed,
  nearby: notIndexed,
  findByKeys: () => [],
  candidates: notIndexed,
  wordsOf: () => [],
  autocomplete: notIndexed,
  countCategories: notIndexed,
  readGeo: notIndexed,
  suggestCategories: () => undefined,
  has: () => false,
  removeStale: notIndexed,
  notReady: () => undefined,
}

const lifecycle = resolveLifecycle(config)
const places = await withFeedSource(engine, source => source.locations.count())
const countPlaces = () => places
const packed = createPacked(config, { engine, layout, clock: systemClock, log, countPlaces })
const operations = createOperations({
  locations: createLocationCache(engine.locations, config.cache.locations),
  reviews: engine.reviews,
  changes: engine.changes,
  photos: engine.photos,
  pictures: undefined,
  index: noIndex,
  recommender: { recommend: notIndexed },
  feeds: { list: async () => [], find: async () => undefined, file: async () => undefined },
  lifecycle,
  renderer: new LocationRenderer(settings),
  ready: packed,
  clock: systemClock,
  settings,
})
const traffic = new Traffic([])
const { connections, unsent, reader } = composeConnections(config, traffic, undefined)
const transport = {
  outbox: createOutbox(),
  traffic,
  connections,
  unsent,
  reader,
  log,
  accessLog: line,
  settings,
  isDraining: () => false,
}
const api = {
  lifecycle,
  authenticator: keys,
  packageTable: config,
  limits,
  badKeys,
  unsent,
  operations,
  log,
  settings,
  refusals: { count: () => {} },
  clock: systemClock,
}
const app = createServer({
  transport,
  partner: api,
  plainWays: createPlainWays({ api, transport, ready: packed, isProxy: () => false }),
  profile: undefined,
  account: {
    reader: { versions: async () => [], usage: notMetered, requests: notMetered, request: notMetered },
    live: { statusOf: notMetered, forgive: notMetered },
    limits: { admit: () => undefined },
    authenticator: keys,
    packageTable: config,
    badKeys,
    clock: systemClock,
    log,
    settings,
  },
  management: undefined,
  site: {
    lifecycle,
    clock: systemClock,
    feedDocuments: { publicKeyPem: () => undefined, schema: () => undefined },
    photos: undefined,
    offer: config,
    places: {
      index: noIndex,
      locations: engine.locations,
      reviews: engine.reviews,
      recommender: { recommend: notIndexed },
      zoneAt: () => 'UTC',
      toJson: () => '',
      version: () => '1',
    },
    status: {
      feeds: { list: async () => [], find: async () => undefined, file: async () => undefined },
      lastChangeMs: async () => undefined,
      isSearchReady: () => true,
    },
    settings,
  },
  readiness: { reasons: () => [], notes: () => [] },
  settings,
})
await app.listen({ host: '127.0.0.1', port: 0 })
const listening = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
address.publicUrl = config.server.publicUrl ?? listening
packed.start(address.publicUrl)
process.stdout.write(`listening on ${listening}\n`)
process.once('SIGTERM', () => process.exit(0))
