import { once } from 'node:events'
import { createAuthenticator } from '../access/authenticate.ts'
import type { Config } from '../config/load.ts'
import { createProxyMatcher } from '../config/trusted-proxies.ts'
import type { AccountReader } from '../domain/account.ts'
import type { Engine } from '../domain/stores.ts'
import { drain } from '../http/wire/drain.ts'
import { createOutbox } from '../http/wire/outbox.ts'
import { Traffic } from '../http/wire/traffic.ts'
import { createThreadClock } from '../kit/clock.ts'
import { createThreadLog } from '../kit/log.ts'
import type { StartedSnapshots } from '../limits/local/local-downloads.ts'
import { RefusalCounts } from '../limits/refusal-counts.ts'
import { PackedFile, type SharedPackedFile } from '../packed/packed-file.ts'
import { ViewQueries } from '../search/keep/view-queries.ts'
import { createRecommender } from '../search/recommend/recommender.ts'
import { isOutage, openEngine } from '../store/engine.ts'
import { openLayout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { createLocationCache } from '../store/location-cache.ts'
import { JournalWriter } from '../usage/journal-writer.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { createFeedLibrary } from './feed-library.ts'
import { createHttpSettings } from './http-settings.ts'
import { Asker } from './questions.ts'
import { startRefusalReports } from './refusal-reports.ts'
import { composeConnections } from './serving-connections.ts'
import { composeHttp, type HttpParts } from './serving-http.ts'
import { composeThreadLimits } from './serving-limits.ts'
import type {
  ServingBegin,
  ServingEvent,
  ServingMessage,
  ServingOwner,
  ServingReply,
  ServingTask,
} from './serving-messages.ts'
import { findBody } from './serving-packed.ts'
import { findBatchStore } from './serving-usage.ts'
import { readThreadMeasures } from './thread-measures.ts'

/** A serving thread. */
export interface ServingThread {
  /** Handles a message of the first thread. */
  receive(message: ServingMessage): Promise<ServingReply>
  /** Closes everything after the last response. */
  close(): Promise<void>
}

/** Composes a serving thread. It listens when it has received its state. */
export function openServingThread(task: ServingTask, emit: (event: ServingEvent) => void): ServingThread {
  const { config } = task
  const asker = new Asker<ServingOwner>(question => emit({ question }))
  const state = { draining: false }
  const parts = openParts(task, asker, { emit, isDraining: () => state.draining })
  const { caches, search, packedFiles, usage, engine, journal, flush } = parts
  const reports = startRefusalReports(usage.refusals, async refusals => emit({ refusals }))
  const app = composeHttp(config, parts)
  const setPacked = (version: string, shared: SharedPackedFile | undefined): void => {
    packedFiles.delete(version)
    if (!shared) return
    const { file, contents, changed } = shared
    const report = (reason: string) => void asker.ask('reportDamage', version, file, reason)
    packedFiles.set(version, new PackedFile(file, contents, report, changed))
  }
  const begin = async ({ view, packed }: ServingBegin): Promise<void> => {
    if (view) search.index.setView(view)
    for (const [version, file] of packed) setPacked(version, file)
    await app.ready()
    app.server.listen({ ...task.listen, reusePort: true })
    await once(app.server, 'listening').then(
      () => emit({ listening: true }),
      ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => emit({ listenFailure: code }),
    )
  }
  const stopListening = async (): Promise<void> => {
    state.draining = true
    if (app.server.listening) await drain(app.server, parts, config.server)
    await reports.stop()
    await journal.close()
    flush()
  }
  return {
    receive: async message => {
      if (message.kind === 'begin') await begin(message)
      else if (message.kind === 'view') search.index.setView(message.view)
      else if (message.kind === 'packed') setPacked(message.version, message.file)
      else if (message.kind === 'answer') asker.receive(message.answer)
      else if (message.kind === 'drain') await stopListening()
      else if (message.kind === 'measures') return readThreadMeasures({ ...parts, locations: caches.locations })
      else if (message.ids === 'any') caches.locations.clear()
      else for (const id of message.ids) caches.locations.evict(id)
      return undefined
    },
    close: async () => {
      flush()
      await engine.close()
    },
  }
}

interface PartOptions {
  readonly emit: (event: ServingEvent) => void
  readonly isDraining: () => boolean
}

function openParts(task: ServingTask, asker: Asker<ServingOwner>, { emit, isDraining }: PartOptions) {
  const { config, memory, thread, demo, address, origin, clockOffsetUs } = task
  const shared = { memory, thread }
  const layout = openLayout(config.data)
  const clock = createThreadClock(clockOffsetUs)
  const { log, line, flush } = createThreadLog(config.server.logLevel, lines => emit({ lines }), isOutage)
  const engine = openEngine(task.engine, { create: false, clock, onReplaced: replaced => emit({ replaced }) })
  const lifecycle = resolveLifecycle(config)
  const outbox = createOutbox()
  const traffic = new Traffic([...lifecycle.versions.map(({ name }) => name), 'beta'])
  const journal = new JournalWriter({
    ...{ memory: memory.journal, thread, endOfTurn: outbox.endOfTurn },
    store: findBatchStore(config, engine),
  })
  const snapshots = askSnapshots(asker)
  const limits = composeThreadLimits(config, { journal, clock, origin, snapshots, traffic, shared })
  const packed = createPackedBodies()
  const parts = {
    ...{ layout, lifecycle, clock, log, accessLog: line, outbox, traffic, shared, isDraining },
    ...composeConnections(config, traffic, shared),
    caches: createCaches(engine, task),
    reviews: engine.reads.reviews,
    changes: engine.changes,
    photos: engine.photos,
    usage: { ...limits, refusals: new RefusalCounts() },
    search: createSearch(asker),
    packed,
    account: { reader: askAccount(asker) },
    feeds: createFeedLibrary(config, layout),
    settings: createHttpSettings(config, demo, address),
    readiness: {
      reasons: async () => (await asker.ask('readiness')).reasons,
      notes: async () => (await asker.ask('readiness')).notes,
    },
    management: askManagement(config, asker),
  } satisfies HttpParts
  return { ...parts, engine, journal, flush, packedFiles: packed.files, countPackedHits: () => packed.hits }
}

/** Creates the caches of a thread: a share of the locations, and keys that are read again after each change. */
function createCaches(engine: Engine, { config, memory }: ServingTask): HttpParts['caches'] {
  const { locations } = config.cache
  const keys = createAuthenticator(engine.keys, loadPepper(openLayout(config.data)))
  const changes = new Int32Array(memory.keyChanges)
  let seen = Atomics.load(changes, 0)
  const current = () => {
    const now = Atomics.load(changes, 0)
    if (now !== seen) keys.clearCache()
    seen = now
    return keys
  }
  return {
    locations: createLocationCache(engine.reads.locations, Math.ceil(locations / config.server.threads)),
    authenticator: {
      authenticate: (...args) => current().authenticate(...args),
      recall: secret => current().recall(secret),
      clearCache: () => keys.clearCache(),
    },
  }
}

function createSearch(asker: Asker<ServingOwner>) {
  const index = new ViewQueries({
    runLong: (query, { subject }) => asker.ask('runLong', query, subject),
    removeStale: (ids, revision) => asker.ask('removeStale', ids, revision),
  })
  const recommender = createRecommender({
    shortlist: (query, caller) => index.shortlist(query, caller),
    rank: (task, { subject }) => asker.ask('rank', task, subject),
  })
  return { index, recommender }
}

/** Creates the packed bodies of a thread, from the files that the first thread has opened. */
function createPackedBodies() {
  const files = new Map<string, PackedFile>()
  const bodies = {
    files,
    hits: 0,
    find: (id: Parameters<HttpParts['packed']['find']>[0], { name }: { readonly name: string }) => {
      const file = files.get(name)
      const found = file && findBody(file, id)
      if (found) bodies.hits++
      return found
    },
  }
  return bodies
}

const askSnapshots = (asker: Asker<ServingOwner>): StartedSnapshots => ({
  since: (keyId, sinceMs) => asker.ask('startedSince', keyId, sinceMs),
  start: (keyId, snapshot, nowMs) => asker.ask('startSnapshot', keyId, snapshot, nowMs),
})

const askAccount = (asker: Asker<ServingOwner>): AccountReader => ({
  versions: key => asker.ask('versions', key),
  usage: (key, query) => asker.ask('usage', key, query),
  requests: (key, query) => asker.ask('requests', key, query),
  request: (key, id) => asker.ask('request', key, id),
})

function askManagement({ management, server }: Config, asker: Asker<ServingOwner>): HttpParts['management'] {
  if (!management.enabled || management.port !== undefined) return undefined
  return { connect: () => asker.ask('connectManagement'), isProxy: createProxyMatcher(server.trustedProxies) }
}
