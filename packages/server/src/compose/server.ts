import type { AddressInfo } from 'node:net'
import type { Config } from '../config/load.ts'
import type { FolderPart } from '../domain/data-folder.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Readiness } from '../http/admin/health.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import { drain } from '../http/wire/drain.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { createAdminPort } from './admin-port.ts'
import { createFirstOwnerLink } from './first-owner.ts'
import { createHttpSettings, listCorsOrigins, type PublicAddress } from './http-settings.ts'
import { createLiveState } from './live-state.ts'
import { readMeasures } from './measures.ts'
import { metricSourcesOf } from './metric-sources.ts'
import type { MetricSources } from './metrics.ts'
import { startPictureSweeps } from './pictures.ts'
import { canSharePorts, listenForPartners, type Service } from './service.ts'
import { getOwnUrl } from './service-url.ts'
import { composeConnections } from './serving-connections.ts'
import { createServingWork, type ServingWork } from './serving-election.ts'
import { storePublicUrl, watchEndRequest } from './serving-folder.ts'
import { composeHttp } from './serving-http.ts'
import { getIndexNotes } from './serving-index.ts'
import { createServingManagement } from './serving-management.ts'
import { startOthers } from './serving-owner.ts'
import { type OpenedParts, openParts } from './serving-parts.ts'
import { getStoreNotes } from './serving-stores.ts'

export type { DemoSite, Service }

export interface ServeOptions {
  readonly demo: DemoSite | false
  readonly clock?: Clock
  /** Parts of the data folder to recreate if they are defective. */
  readonly recreate?: readonly FolderPart[]
  /** Source of each setting that differs from its default; see LoadedConfig. */
  readonly sources?: ReadonlyMap<string, string>
  /** Returns true if the system can share a port between sockets. */
  readonly sharesPorts?: (host: string) => Promise<boolean>
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
  { demo, clock = systemClock, recreate = [], sources = new Map(), sharesPorts = canSharePorts }: ServeOptions,
  opened: AsyncDisposableStack,
): Promise<Service> {
  const isDemo = demo !== false
  const parts = await openParts(config, { clock, recreate, isDemo }, opened)
  const { log, engine, threads, others } = parts
  const state: PublicAddress & { draining: boolean } = { draining: false, publicUrl: '' }
  const settings = createHttpSettings(config, demo, state)
  const work = createServingWork(config, { ...parts, sharing: parts.search.sharing, isDemo })
  const readiness = readinessOf(state, parts, work)
  const limited = composeConnections(config, parts.traffic, others?.shared)
  const measured = metricSourcesOf(parts, limited, work)
  const live = liveStateOf(parts, measured, readiness)
  const management = opened.adopt(
    createServingManagement(config, { engine: engine.descriptor, sources, isDemo, threads, live, log }),
    close,
  )
  const stores = { reviews: engine.reads.reviews, changes: engine.changes, photos: engine.photos }
  const http = { ...stores, settings, readiness, shared: others?.shared, isDraining: () => state.draining }
  const app = composeHttp(config, { ...parts, ...limited, ...http, management: management.target })
  const metrics = async () => (await import('./metrics.ts')).composeMetrics(measured)
  opened.adopt(work, close)
  opened.adopt(startPictureSweeps(config, parts), close)
  const admin = opened.adopt(createAdminPort(config.server, { metrics, readiness, log }), close)
  opened.defer(async () => {
    const own = app.server.listening ? drain(app.server, limited, config.server) : undefined
    await Promise.all([own, others?.stop()])
  })
  const urls: OtherUrls = {}
  return {
    endRequested: watchEnd(parts, work, opened),
    get managementUrl() {
      return urls.management
    },
    get listeningUrl() {
      return getOwnUrl(config.server, app.server.address() as AddressInfo)
    },
    get adminUrl() {
      return urls.admin
    },
    listen: async source => {
      urls.admin = await admin.listen()
      const isShared = others !== undefined && (await sharesPorts(config.server.host))
      state.publicUrl = await listenForPartners(app, config.server, source, isShared)
      useAddress(parts, state.publicUrl)
      urls.management = await management.listen(state.publicUrl)
      state.corsOrigins = listCorsOrigins(config, state.publicUrl, urls.management)
      logUrls(log, config, urls)
      const task = { engine: engine.descriptor, demo, address: { ...state } }
      await startOthers(parts, { readiness, management, task, address: isShared ? app.server.address() : undefined })
      work.start()
      return state.publicUrl
    },
    createFirstOwnerLink: () => createFirstOwnerLink(engine, config, clock, state.publicUrl),
    drain: () => {
      state.draining = true
      return opened.disposeAsync()
    },
  }
}

/** Resolves when the service must end, with the error if the database refuses this release. */
const watchEnd = (parts: OpenedParts, work: Pick<ServingWork, 'refused'>, opened: AsyncDisposableStack) =>
  Promise.race([watchEndRequest(parts, opened), work.refused, ...(parts.usage.node ? [parts.usage.node.replaced] : [])])

/** Starts what depends on the address of the service. */
function useAddress({ layout, packed }: OpenedParts, publicUrl: string): void {
  storePublicUrl(layout.publicUrl, publicUrl)
  packed.start(publicUrl)
}

/** URLs of the ports next to the partner port. */
interface OtherUrls {
  admin?: string | undefined
  management?: string | undefined
}

/** Logs the URLs of the ports of their own; any other URL is below the one that the command prints. */
function logUrls(log: Logger, { management: { port } }: Config, { admin, management }: OtherUrls): void {
  if (admin !== undefined) log.info({ url: admin }, 'Serving metrics.')
  if (port !== undefined && management !== undefined) log.info({ url: management }, 'Serving the management server.')
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

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

function readinessOf(
  state: { readonly draining: boolean },
  { engine, clock, usage, caches, search, threads, feedStatus, others }: OpenedParts,
  work: Pick<ServingWork, 'notes'>,
): Readiness {
  return {
    // A missing index does not make the service unready: searches return 503, but reads by id work.
    reasons: () => {
      const failure = usage.journal.failure()
      const own = [state.draining ? 'shutting down' : undefined, failure?.reason, caches.reason()]
      return [...own.filter(reason => reason !== undefined), ...(usage.node?.reasons() ?? [])]
    },
    notes: () => [
      ...usage.notes(),
      ...(others?.notes() ?? []),
      ...getStoreNotes(engine, clock.nowMs()),
      ...engine.reads.notes(),
      ...getIndexNotes(search),
      ...threads.notes(),
      ...work.notes(),
      ...feedStatus.notes(),
    ],
  }
}
