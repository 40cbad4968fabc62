import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Authenticator, authenticator } from '../access/authenticate.ts'
import type { Config } from '../config/load.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { KeyReader } from '../domain/stores.ts'
import type { Readiness } from '../http/admin/health.ts'
import { operationsOf } from '../http/partner/operations/operations.ts'
import { LocationRenderer } from '../http/partner/render.ts'
import { createServer, type HttpSettings } from '../http/server.ts'
import type { DemoSite } from '../http/site/landing-demo.ts'
import { drain, openSockets } from '../http/wire/drain.ts'
import { createOutbox } from '../http/wire/outbox.ts'
import { Traffic } from '../http/wire/traffic.ts'
import type { Transport } from '../http/wire/transport.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { createLog, type Logger } from '../kit/log.ts'
import { recommender } from '../search/recommend/recommender.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { pepperOf } from '../store/folder/pepper.ts'
import { followChanges } from '../store/follow-changes.ts'
import { cachedLocations } from '../store/location-cache.ts'
import { Journal } from '../usage/journal.ts'
import { JournalLag } from '../usage/journal-lag.ts'
import { lifecycleWarnings, resolveLifecycle } from '../versions/lifecycle.ts'
import { adminPort } from './admin-port.ts'
import { engineOf } from './engine.ts'
import type { FeedSchedulerEvent } from './feed-scheduler-thread.ts'
import { scheduleFeeds } from './feeds.ts'
import { startLedgerThread } from './ledger-thread.ts'
import { listeningUrl } from './listening-url.ts'
import { composeMetrics, type MetricSources } from './metrics.ts'
import { rankingThread } from './ranking-thread.ts'
import { serviceThreads } from './service-threads.ts'
import { feedDocuments, feedLibrary } from './serving-feeds.ts'
import { indexNotes, keepIndex, servedIndex } from './serving-index.ts'
import { composeLimits } from './serving-limits.ts'

export type { DemoSite }

/** Retention of the copies that schema upgrades make, milliseconds. */
const keptCopiesMs = 30 * 86_400_000
/** How often a lock that is waited for is tried, milliseconds. */
const lockEveryMs = 20

/** A service that is ready to listen. */
export interface Running {
  /** Listens, on a socket that somebody else has opened if one is handed over; gives the address for partners. */
  listen(inherited?: { readonly fd: number }): Promise<string>
  /** Where the operator's port is, once it listens; undefined where the config names none. */
  readonly adminUrl: string | undefined
  /** Takes no more connections, lets open requests end, closes everything. */
  drain(): Promise<void>
}

/** The whole service on a data folder, which is made when it is not there. One at a time may serve a folder. */
export async function composeServer(
  config: Config,
  options: { demo: DemoSite | false; clock?: Clock },
): Promise<Running> {
  const { clock = systemClock } = options
  const layout = layoutOf(config.data, { create: true })
  const lock = await lockWithin(config.server.lockWaitMs, () =>
    holdLock(
      layout.serveLock,
      `Another Periplus serves ${config.data}; stop it first, wait for its end with --wait SECONDS, or name another folder with --data DIR.`,
    ),
  )
  const { log, line, flush } = createLog(config.server.logLevel)
  const lifecycle = resolveLifecycle(config)
  for (const { path, text } of lifecycleWarnings(lifecycle)) log.warn({ setting: path }, text)
  const engine = engineOf(config, { create: true, clock })
  await engine.prepare()
  for (const name of await engine.upkeep.removeUpgradeCopies('all', clock.nowMs() - keptCopiesMs))
    log.info({ file: name }, 'Removed a copy that an upgrade had made.')

  const locations = cachedLocations(engine.locations, config.cache.locations)
  const keyAuthenticator = authenticator(engine.keys, pepperOf(layout.pepper))
  const watchFailed = (error: unknown) =>
    log.warn({ err: error }, 'Could not read what other processes have changed; will retry.')
  const watches = [
    engine.watch('keys', { changed: followKeys(engine.keys, keyAuthenticator), failed: watchFailed }),
    engine.watch('data', { changed: followChanges(engine.changes, locations), failed: watchFailed }),
  ]

  const outbox = createOutbox()
  const journal = new Journal(layout.journal, { endOfTurn: outbox.endOfTurn })
  const downloads = await engine.openFeedDownloads()
  const traffic = new Traffic([...lifecycle.versions.map(({ name }) => name), 'beta'])
  const parts = { layout, ledger: engine.ledger, journal, clock, downloads, traffic }
  const { limits, badKeys } = await composeLimits(config, parts)
  const lag = new JournalLag(layout.journal, journal, await engine.ledger.position(), clock.nowMs)
  const threads = serviceThreads(log)
  const ledgerThread = startLedgerThread(
    threads,
    {
      engine: engine.descriptor,
      journal: layout.journal,
      keepMs: config.journal.keepDays * 86_400_000,
      maxBytes: config.journal.maxMb * 1024 * 1024,
      maintenance: {
        index: layout.index,
        feeds: layout.feeds,
        keepDays: config.changeLog.keepDays,
        keepDeltaDays: config.feeds.keepDeltaDays,
      },
    },
    {
      onError: error => log.warn({ err: error }, 'Could not fold the usage journal; will retry.'),
      onFolded: round => lag.folded(round),
    },
  )

  const index = keepIndex(layout, engine, {
    clock,
    threads,
    onError: (error, retryMs) =>
      log.warn({ err: error }, `Could not update the search index; will retry in ${retryMs / 1000} s.`),
  })

  const ranking = rankingThread(threads, engine.descriptor)

  let feeds: ReturnType<typeof scheduleFeeds> | undefined
  const address = { publicUrl: '' }
  const settings = httpSettings(config, options.demo, address)
  const feedSnapshots = feedLibrary(layout)
  const operations = operationsOf({
    locations,
    reviews: engine.reviews,
    index: servedIndex(index),
    recommender: recommender({ shortlist: query => index.shortlist(query), rank: task => ranking.request(task) }),
    feeds: feedSnapshots,
    lifecycle,
    renderer: new LocationRenderer(settings),
    clock,
    settings,
  })
  const transport: Transport = {
    outbox,
    traffic,
    log,
    accessLog: line,
    isDraining: () => app.server.listening === false,
    settings,
  }
  const state = { draining: false }
  // Searches that answer 503 for a while are no reason to send the reads by id elsewhere.
  const readiness: Readiness = {
    reasons: () => {
      const failure = journal.failure()
      return [...(state.draining ? ['shutting down'] : []), ...(failure ? [failure.reason] : [])]
    },
    notes: () => [...indexNotes(index), ...threads.notes()],
  }
  const app = createServer({
    transport,
    partner: {
      lifecycle,
      authenticator: keyAuthenticator,
      packageTable: config,
      limits,
      badKeys,
      operations,
      clock,
      log,
      settings,
    },
    site: { lifecycle, clock, feedDocuments: feedDocuments(layout), settings },
    readiness,
    settings,
  })
  const connections = openSockets(app.server)
  const metricSources: MetricSources = {
    layout,
    clock,
    traffic,
    locations,
    journal,
    lag,
    index,
    threads,
    feeds: feedSnapshots,
    feedVersions: lifecycle.versions.map(({ name }) => name),
    changes: engine.changes,
    locks: engine.locks,
    openConnections: () => connections.size,
  }
  const admin = adminPort(config.server, { metrics: () => composeMetrics(metricSources), readiness, log })

  let adminUrl: string | undefined
  return {
    get adminUrl() {
      return adminUrl
    },
    listen: async inherited => {
      const { host, port } = config.server
      adminUrl = await admin.listen()
      if (adminUrl !== undefined) log.info({ url: adminUrl }, 'metrics')
      await app.ready()
      app.server.listen(inherited ?? { host, port })
      await once(app.server, 'listening')
      address.publicUrl = (
        config.server.publicUrl ?? listeningUrl(app.server.address() as AddressInfo) + settings.basePath
      ).replace(/\/+$/, '')
      rememberUrl(layout.publicUrl, address.publicUrl)
      if (config.feeds.schedule === 'auto') feeds = scheduleFeeds(threads, config, event => logFeedEvent(log, event))
      return address.publicUrl
    },
    drain: async () => {
      state.draining = true
      if (app.server.listening) await drain(app.server, connections, config.server)
      await admin.close()
      await Promise.all(watches.map(watch => watch.stop()))
      await index.close()
      await ranking.stop()
      await journal.close()
      await feeds?.stop()
      await ledgerThread.stop()
      await downloads.close()
      await engine.close()
      flush()
      lock.release()
    },
  }
}

/** What `hold` gives, tried until the process that has the lock ends or `waitMs` are over. */
async function lockWithin<T>(waitMs: number, hold: () => T): Promise<T> {
  for (const untilMs = performance.now() + waitMs; ; await delay(lockEveryMs)) {
    try {
      return hold()
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() >= untilMs) throw error
    }
  }
}

/** Forgets cached keys when a key or partner has changed, and not when the fold has written to the same store. */
function followKeys(keys: KeyReader, cached: Authenticator): () => Promise<void> {
  let seen: number | undefined
  return async () => {
    const now = await keys.revision()
    if (now !== seen) cached.forget()
    seen = now
  }
}

function logFeedEvent(log: Logger, event: FeedSchedulerEvent): void {
  if ('error' in event) log.warn({ err: event.error }, 'Could not build feeds; will retry.')
  else if ('built' in event) log.info(event, 'Built feeds.')
  else log.info(event, 'Withdrew snapshots that held erased records.')
}

function httpSettings(config: Config, demo: DemoSite | false, address: { readonly publicUrl: string }): HttpSettings {
  return {
    get publicUrl() {
      return address.publicUrl
    },
    basePath: config.server.basePath.replace(/\/+$/, ''),
    trustedProxies: config.server.trustedProxies,
    keysInQuery: config.keys.inQuery,
    corsOrigins: config.cors.origins,
    corsMaxAgeSeconds: config.cors.maxAgeSeconds,
    maxAgeSeconds: config.cache.maxAgeSeconds,
    endedFeedVersions: config.feeds.endedVersions,
    demo,
  }
}

/** Builds of feeds, in other processes, give icons the address of the service. */
function rememberUrl(file: string, url: string): void {
  writeFileSync(`${file}.tmp`, `${url}\n`)
  renameSync(`${file}.tmp`, file)
}
