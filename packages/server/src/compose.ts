import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { AddressGuard, addressGuardDefaults } from './access/address-guard.ts'
import { type Authenticator, authenticator } from './access/authenticate.ts'
import { createSecret, digestOf } from './access/key-format.ts'
import { Limits } from './access/limits.ts'
import { timeline } from './access/timeline.ts'
import type { Config } from './config/load.ts'
import { fault } from './domain/fault.ts'
import type { SecretMint } from './domain/key.ts'
import type { Ledger } from './domain/ledger.ts'
import type { Operation, OperationMeter } from './domain/operation.ts'
import type { DataWriter, KeyAdmin, KeyReader } from './domain/stores.ts'
import { Metering } from './http/metering.ts'
import { createOutbox } from './http/outbox.ts'
import { LocationRenderer } from './http/render.ts'
import { routes } from './http/routes.ts'
import { createServer } from './http/server.ts'
import type { DemoSite, HttpSettings, ServedIndex, Service } from './http/service.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { createLog } from './kit/log.ts'
import { auditIndex } from './search/audit.ts'
import { loadSegment } from './search/file.ts'
import { IndexKeeper } from './search/index-keeper.ts'
import { recommender } from './search/recommender.ts'
import { cachedLocations } from './store/location-cache.ts'
import { withAllLocations } from './store/sqlite/all-locations.ts'
import { changedLocations, sqliteChangeLog } from './store/sqlite/change-log.ts'
import { followChanges } from './store/sqlite/follow-changes.ts'
import { brokenPages, wrongTotals } from './store/sqlite/integrity.ts'
import { sqliteKeys } from './store/sqlite/keys.ts'
import { type Layout, layoutOf } from './store/sqlite/layout.ts'
import { sqliteLedger } from './store/sqlite/ledger.ts'
import { sqliteLocations } from './store/sqlite/locations.ts'
import { holdLock } from './store/sqlite/lock.ts'
import { controlMigrations } from './store/sqlite/migrations/control.ts'
import { dataMigrations } from './store/sqlite/migrations/data.ts'
import { copyOf, openSqlite, type Sqlite } from './store/sqlite/open.ts'
import { pepperOf } from './store/sqlite/pepper.ts'
import { sqliteReviews } from './store/sqlite/reviews.ts'
import { watchCommits } from './store/sqlite/watch.ts'
import { sqliteWriter } from './store/sqlite/writer.ts'
import { audit, readBooks } from './usage/audit.ts'
import { Journal } from './usage/journal.ts'
import { recoverStates } from './usage/recover.ts'
import { planOf, planWarnings } from './versions/plan.ts'
import { startBookKeeper } from './workers/book-keeper-client.ts'
import { type BuildProgress, buildIndex } from './workers/build-index.ts'
import { buildIndexAside, loadIndexAside } from './workers/index-task-client.ts'
import { RankingThread } from './workers/recommend-client.ts'

/** How often another process's commits are looked for, milliseconds (ARCHITECTURE.md). */
const watchEveryMs = 250

const openControl = (layout: Layout) => openSqlite(layout.control, controlMigrations, { synchronous: 'FULL' })
const openData = (layout: Layout, how: { cacheMb: number; mapped: boolean }) =>
  openSqlite(layout.data, dataMigrations, { synchronous: 'NORMAL', ...how })

/** What the operator's commands on partners and keys work with. */
export interface Admin {
  readonly keys: KeyAdmin
  readonly mint: SecretMint
  readonly clock: Clock
  close(): void
}

/** Partners and keys of a data folder, which is made when it is not there. */
export function composeAdmin(config: Config): Admin {
  const layout = layoutOf(config.data, { create: true })
  const pepper = pepperOf(layout.pepper)
  const control = openControl(layout)
  return {
    keys: sqliteKeys(control),
    mint: { create: createSecret, digest: secret => digestOf(secret, pepper) },
    clock: systemClock,
    close: () => control.close(),
  }
}

/** Up to this many changes a running service follows by itself. */
const followedChanges = 5000

/** What an import works with; `close` ends it, and undoes everything when it was a dry run. */
export interface Importing {
  readonly writer: DataWriter
  readonly clock: Clock
  /** Where rejected rows go when no file was named. */
  readonly rejectsFolder: string
  /** Builds the search index when there is none, or when so much has changed that following would take longer. */
  buildIndex(changed: number, progress: BuildProgress): Promise<void>
  close(): void
}

/**
 * The stores for an import; a second one on the same folder is refused. A dry run works on a private copy of the ids
 * and in a transaction on the data that is rolled back, so that it holds up nobody who serves, bills or makes keys.
 */
export function composeImport(config: Config, options: { dryRun: boolean }): Importing {
  const layout = layoutOf(config.data, { create: true })
  const lock = holdLock(layout.importLock, `Another import is running on ${config.data}; wait until it has ended.`)
  const ids = openControl(layout)
  const control = options.dryRun ? copyOf(ids) : ids
  const data = openData(layout, { cacheMb: 128, mapped: false })
  if (options.dryRun) data.exec('BEGIN IMMEDIATE')
  const writer = sqliteWriter(control, data, systemClock)
  return {
    writer,
    clock: systemClock,
    rejectsFolder: join(layout.root, 'rejects'),
    buildIndex: async (changed, progress) => {
      if (options.dryRun || (changed <= followedChanges && existsSync(layout.index))) return
      await buildIndex(layout.data, layout.index, systemClock.nowMs(), progress)
    },
    close: () => {
      if (options.dryRun) data.exec('ROLLBACK')
      writer.close()
      lock.release()
    },
  }
}

/** What questions about usage are answered from; works beside a running service. */
export interface Books {
  readonly journalFolder: string
  readonly ledger: Ledger
  close(): void
}

/** The journal and ledger of a data folder. */
export function composeBooks(config: Config): Books {
  const layout = layoutOf(config.data, { create: false })
  const control = openControl(layout)
  return { journalFolder: layout.journal, ledger: sqliteLedger(control), close: () => control.close() }
}

/** One thing that is looked at, and how. */
export interface Inspection {
  readonly name: string
  problems(): Promise<string[]>
}

/** Everything that `periplus verify` looks at; works beside a running service. */
export function* composeVerification(config: Config): Generator<Inspection> {
  const layout = layoutOf(config.data, { create: false })
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 64, mapped: true })
  try {
    yield { name: 'control.sqlite', problems: async () => brokenPages(control, 'control.sqlite') }
    yield { name: 'data.sqlite', problems: async () => brokenPages(data, 'data.sqlite') }
    yield { name: 'review totals', problems: async () => wrongTotals(data) }
    yield { name: 'search index', problems: () => indexProblems(layout, data) }
    yield {
      name: 'journal, roll-ups and windows',
      problems: async () => audit(await readBooks(layout.journal, sqliteLedger(control))),
    }
  } finally {
    data.close()
    control.close()
  }
}

/** The file is read before the store, so that it is not ahead of it when an import runs beside. */
async function indexProblems(layout: Layout, data: Sqlite): Promise<string[]> {
  const loaded = loadSegment(layout.index)
  return withAllLocations(data, async ({ revision, entries }) =>
    auditIndex(loaded, { lastSeq: revision, entries, changedAfter: seq => changedLocations(data, seq) }),
  )
}

/** A service that is ready to listen. */
export interface Running {
  /** Listens; gives the address under which partners reach it. */
  listen(): Promise<string>
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
  const lock = holdLock(
    layout.serveLock,
    `Another Periplus serves ${config.data}; stop it first, or name another folder with --data DIR.`,
  )
  const { log, line, flush } = createLog(config.server.logLevel)
  const plan = planOf(config)
  for (const { path, text } of planWarnings(plan)) log.warn({ setting: path }, text)
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 16, mapped: true })

  const locations = cachedLocations(sqliteLocations(data), config.cache.locations)
  const keys = sqliteKeys(control)
  const keyAuthenticator = authenticator(keys, pepperOf(layout.pepper))
  const watches = [
    watchCommits(control, watchEveryMs, followKeys(keys, keyAuthenticator)),
    watchCommits(data, watchEveryMs, followChanges(sqliteChangeLog(data), locations)),
  ]

  const outbox = createOutbox()
  const journal = new Journal(layout.journal, { endOfTurn: outbox.endOfTurn })
  const metering = await composeMetering(config, layout, control, journal, clock)
  const books = startBookKeeper(
    {
      control: layout.control,
      journal: layout.journal,
      keepMs: config.journal.keepDays * 86_400_000,
      maxBytes: config.journal.maxMb * 1024 * 1024,
    },
    error => log.warn({ err: error }, 'the journal could not be folded; it is tried again'),
  )

  const index = keepIndex(layout, data, clock, error =>
    log.warn({ err: error }, 'the search index could not be brought up to date; it is tried again'),
  )

  const ranking = new RankingThread(layout.data)

  const address = { publicUrl: '' }
  const settings = httpSettings(config, options.demo, address)
  const service: Service = {
    locations,
    reviews: sqliteReviews(data),
    index: servedIndex(index),
    recommender: recommender({ shortlist: query => index.shortlist(query), rank: task => ranking.rank(task) }),
    authenticator: keyAuthenticator,
    offer: config,
    plan,
    metering,
    renderer: new LocationRenderer(settings),
    outbox,
    clock,
    log,
    accessLog: line,
    settings,
  }
  const state = { draining: false }
  const reasons = () => {
    const failure = journal.failure()
    return [...(state.draining ? ['shutting down'] : []), ...(failure ? [failure.reason] : [])]
  }
  const app = createServer(service, { reasons })

  return {
    listen: async () => {
      const { host, port } = config.server
      await app.listen({ host, port })
      address.publicUrl = (
        config.server.publicUrl ?? listeningUrl(app.server.address() as AddressInfo) + settings.basePath
      ).replace(/\/+$/, '')
      return address.publicUrl
    },
    drain: async () => {
      state.draining = true
      const timeout = setTimeout(() => app.server.closeAllConnections(), config.server.drainMs)
      await app.close()
      clearTimeout(timeout)
      for (const watch of watches) watch.stop()
      await index.close()
      await ranking.close()
      await journal.close()
      await books.stop()
      data.close()
      control.close()
      flush()
      lock.release()
    },
  }
}

/** Forgets keys when one has changed, and not when the book keeper has written to the same file. */
function followKeys(keys: KeyReader, forgetful: Authenticator): () => Promise<void> {
  let seen = keys.revision()
  return async () => {
    const now = await keys.revision()
    if (now !== (await seen)) forgetful.forget()
    seen = Promise.resolve(now)
  }
}

function keepIndex(layout: Layout, data: Sqlite, clock: Clock, onError: (error: unknown) => void): IndexKeeper {
  const changes = sqliteChangeLog(data)
  const locations = sqliteLocations(data)
  return new IndexKeeper({
    file: layout.index,
    load: () => loadIndexAside(layout.index),
    build: () => buildIndexAside(layout.data, layout.index),
    lastSeq: () => changes.lastSeq(),
    changesAfter: (seq, limit) => changes.after(seq, limit),
    entry: id => locations.get(id),
    clock,
    onError,
  })
}

/** Until there is an index, searches are told to come back; reads by id go on (ARCHITECTURE.md). */
const servedIndex = (index: IndexKeeper): ServedIndex => ({
  search: query => index.search(query),
  nearby: query => index.nearby(query),
  notReady: () =>
    index.ready
      ? undefined
      : fault('index_building', {
          detail: 'Reads by id go on; try the search again soon.',
          headers: { 'Retry-After': '5' },
        }),
})

/** Limits that go on where the process before left them (R-29). */
async function composeMetering(
  config: Config,
  layout: Layout,
  control: Sqlite,
  journal: Journal,
  clock: Clock,
): Promise<Metering> {
  const nowMs = clock.nowMs()
  const line = timeline({ wallMs: nowMs, monotonicUs: clock.monotonicUs() })
  const { penalty, penaltyGraceMs, penaltyCapSeconds, badKeyRate, badKeyBurst } = config.limits
  const limits = new Limits({
    searchCountsTowardPackage: config.search.countsTowardPackage,
    penalty: { enabled: penalty, graceUs: penaltyGraceMs * 1000, capUs: penaltyCapSeconds * 1_000_000 },
  })
  const ledger = sqliteLedger(control)
  const { states, last } = await recoverStates(layout.journal, ledger, nowMs)
  await ledger.rebase(limits.restore(states, line.at(clock.monotonicUs()), last), nowMs)
  return new Metering({
    limits,
    timeline: line,
    journal,
    guard: new AddressGuard({ ...addressGuardDefaults, rate: badKeyRate, burst: badKeyBurst }),
    clock,
    meters: metersOf(config),
  })
}

/** The table's meters, where the config does not say otherwise (R-08). */
function metersOf(config: Config): Record<Operation, OperationMeter> {
  const configured = config.meters as Partial<Record<Operation, OperationMeter>>
  const rows = routes.map(
    ({ operation, meter }) => [operation, { meter, weight: 1, ...configured[operation] }] as const,
  )
  return Object.fromEntries(rows) as Record<Operation, OperationMeter>
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
    maxAgeSeconds: config.cache.maxAgeSeconds,
    demo,
  }
}

const listeningUrl = ({ address, port }: AddressInfo): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
