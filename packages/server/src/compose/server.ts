import type { Config } from '../config/load.ts'
import type { FolderPart } from '../domain/data-folder.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Readiness } from '../http/admin/health.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import { drain } from '../http/wire/drain.ts'
import { createOutbox } from '../http/wire/outbox.ts'
import { Traffic } from '../http/wire/traffic.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { createLog, type Logger } from '../kit/log.ts'
import { openFolder } from '../store/engine.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { createAdminPort } from './admin-port.ts'
import { configStatus } from './configuration.ts'
import { describeEngine } from './engine.ts'
import { createFirstOwnerLink } from './first-owner.ts'
import { createHttpSettings, listCorsOrigins, type PublicAddress } from './http-settings.ts'
import { createLiveState } from './live-state.ts'
import { readMeasures } from './measures.ts'
import type { MetricSources } from './metrics.ts'
import { recreateFolderParts } from './recreation.ts'
import { listenForPartners, type Service } from './service.ts'
import { createServiceThreads } from './service-threads.ts'
import { openAccount } from './serving-account.ts'
import { openCaches } from './serving-caches.ts'
import { composeConnections, type ServingConnections } from './serving-connections.ts'
import { createDeliveries } from './serving-deliveries.ts'
import { createFeedScheduler, openFeeds } from './serving-feeds.ts'
import {
  lockFolder,
  logRecreation,
  logReplacedFile,
  openServingEngine,
  storePublicUrl,
  warnOfReadableFiles,
} from './serving-folder.ts'
import { composeHttp } from './serving-http.ts'
import { getIndexNotes } from './serving-index.ts'
import { createServingManagement } from './serving-management.ts'
import { createPacked } from './serving-packed.ts'
import { openSearch } from './serving-search.ts'
import { getStoreNotes } from './serving-stores.ts'
import { openUsage } from './serving-usage.ts'

export type { DemoSite, Service }

export interface ServeOptions {
  readonly demo: DemoSite | false
  readonly clock?: Clock
  /** Parts of the data folder to recreate if they are defective. */
  readonly recreate?: readonly FolderPart[]
  /** Source of each setting that differs from its default; see LoadedConfig. */
  readonly sources?: ReadonlyMap<string, string>
}

/** Composes the service of a data folder. Only one process can serve a folder. Throws the errors of openFolder. */
export async function composeServer(config: Config, options: ServeOptions): Promise<Service> {
  const opened = new AsyncDisposableStack()
  try {
    return await openService(config, options, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function openService(
  config: Config,
  { demo, clock = systemClock, recreate = [], sources = new Map() }: ServeOptions,
  opened: AsyncDisposableStack,
): Promise<Service> {
  const isDemo = demo !== false
  const parts = await openParts(config, { clock, recreate, isDemo }, opened)
  const { log, engine, threads } = parts
  const state: PublicAddress & { draining: boolean } = { draining: false, publicUrl: '' }
  const settings = createHttpSettings(config, demo, state)
  const readiness = readinessOf(state, parts)
  const limited = composeConnections(config, parts.traffic)
  const isDraining = () => state.draining
  const measured = metricSourcesOf(parts, limited)
  const live = liveStateOf(parts, measured, readiness)
  const management = opened.adopt(
    createServingManagement(config, { engine: engine.descriptor, sources, isDemo, threads, live, log }),
    close,
  )
  const served = {
    ...parts,
    ...limited,
    reviews: engine.reviews,
    changes: engine.changes,
    settings,
    readiness,
    management: management.target,
  }
  const app = composeHttp(config, { ...served, isDraining })
  const metrics = async () => (await import('./metrics.ts')).composeMetrics(measured)
  const scheduler = opened.adopt(createFeedScheduler(engine.descriptor, config, threads, log), close)
  const admin = opened.adopt(createAdminPort(config.server, { metrics, readiness, log }), close)
  opened.defer(async () => {
    if (app.server.listening) await drain(app.server, limited, config.server)
  })
  let adminUrl: string | undefined
  let managementUrl: string | undefined
  return {
    get managementUrl() {
      return managementUrl
    },
    get adminUrl() {
      return adminUrl
    },
    listen: async source => {
      adminUrl = await admin.listen()
      if (adminUrl !== undefined) log.info({ url: adminUrl }, 'Serving metrics.')
      state.publicUrl = await listenForPartners(app, config.server, source)
      useAddress(parts, state.publicUrl)
      managementUrl = await management.listen(state.publicUrl)
      state.corsOrigins = listCorsOrigins(config, state.publicUrl, managementUrl)
      logManagement(log, config, managementUrl)
      scheduler.start()
      return state.publicUrl
    },
    createFirstOwnerLink: () => createFirstOwnerLink(engine, config, clock, state.publicUrl),
    drain: async () => {
      state.draining = true
      await opened.disposeAsync()
    },
  }
}

/** Starts what depends on the address of the service. */
function useAddress({ layout, packed }: OpenedParts, publicUrl: string): void {
  storePublicUrl(layout.publicUrl, publicUrl)
  packed.start(publicUrl)
}

/** Logs the URL of a management server with a port of its own; any other is below the URL that the command prints. */
function logManagement(log: Logger, { management }: Config, url: string | undefined): void {
  if (management.port !== undefined && url !== undefined) log.info({ url }, 'Serving the management server.')
}

const liveStateOf = (parts: OpenedParts, measured: MetricSources, readiness: Readiness): LiveState =>
  createLiveState({
    readiness,
    limits: parts.usage.live,
    downloads: parts.usage.downloads,
    search: searchStoresOf(parts),
    measures: () => readMeasures(measured, parts.recent),
  })

const searchStoresOf = ({ search, caches }: OpenedParts) => ({ index: search.index, locations: caches.locations })

/** Returns the parts that metrics are read from. */
function metricSourcesOf(parts: OpenedParts, limited: ServingConnections): MetricSources {
  const { layout, clock, log, traffic, threads, feeds, feedStatus, lifecycle, engine, usage, search, caches, account } =
    parts
  const { journal, lag, health } = usage
  return {
    layout,
    clock,
    log,
    traffic,
    threads,
    feeds,
    feedStatus,
    journal,
    lag,
    health,
    ...limited,
    changes: engine.changes,
    locks: engine.locks,
    stores: engine,
    locations: caches.locations,
    packed: parts.packed,
    index: search.index,
    queues: { ...search.queues, queries: account.queue },
    feedVersions: lifecycle.versions.map(({ name }) => name),
  }
}

type OpenOptions = Required<Pick<ServeOptions, 'clock' | 'recreate'>> & { readonly isDemo: boolean }

/** Opens the parts that requests need; `opened` closes them in reverse order. */
async function openParts(config: Config, { clock, recreate, isDemo }: OpenOptions, opened: AsyncDisposableStack) {
  const { log, recent, line: accessLog, flush } = createLog(config.server.logLevel)
  opened.defer(flush)
  if (recreate.length > 0) logRecreation(recreateFolderParts(config, recreate, clock.nowMs()), log)
  const layout = openFolder(describeEngine(config), { create: false })
  const lock = await lockFolder(layout, config)
  opened.defer(() => lock.release())
  if (lock.replaced) logReplacedFile(log, lock.replaced)
  warnOfReadableFiles(layout, log)
  const lifecycle = resolveLifecycle(config)
  for (const { path, text } of configStatus(config, clock.nowMs()).warnings) log.warn({ setting: path }, text)
  const engine = opened.adopt(await openServingEngine(config, clock, log), close)
  const threads = createServiceThreads(log)
  const outbox = createOutbox()
  const traffic = new Traffic([...lifecycle.versions.map(({ name }) => name), 'beta'])
  const common = { layout, clock, log, threads, outbox, traffic }
  const deliveries = opened.adopt(createDeliveries(config, { engine, threads, log, isDemo }), close)
  const usage = opened.adopt(await openUsage(config, { engine, ...common, onReceivers: deliveries.start }), close)
  const search = opened.adopt(openSearch(engine, layout, common), close)
  const caches = opened.adopt(openCaches(engine, layout, config, log), close)
  const packed = opened.adopt(
    createPacked(config, { engine, ...common, countPlaces: () => search.index.info()?.documents }),
    close,
  )
  const account = opened.adopt(openAccount({ engine: engine.descriptor, config }, threads), close)
  return {
    ...common,
    recent,
    accessLog,
    lifecycle,
    engine,
    usage,
    search,
    caches,
    packed,
    account,
    ...openFeeds(layout, log),
  }
}

type OpenedParts = Awaited<ReturnType<typeof openParts>>

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

function readinessOf(
  state: { readonly draining: boolean },
  { engine, clock, usage, search, threads, feedStatus }: OpenedParts,
): Readiness {
  return {
    // A missing index does not make the service unready: searches return 503, but reads by id work.
    reasons: () => {
      const failure = usage.journal.failure()
      return [...(state.draining ? ['shutting down'] : []), ...(failure ? [failure.reason] : [])]
    },
    notes: () => [
      ...usage.notes(),
      ...getStoreNotes(engine, clock.nowMs()),
      ...getIndexNotes(search.index),
      ...threads.notes(),
      ...feedStatus.notes(),
    ],
  }
}
