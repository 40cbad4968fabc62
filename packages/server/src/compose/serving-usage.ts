import type { Config } from '../config/load.ts'
import type { Cluster } from '../domain/cluster.ts'
import type { FeedDownloads } from '../domain/feed-stores.ts'
import type { Key } from '../domain/key.ts'
import type { UsageCursor } from '../domain/ledger.ts'
import { findDiskFailure, StoreError, StoreFailure } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import type { BatchStore, JournalFailure } from '../domain/usage.ts'
import type { Outbox } from '../http/wire/outbox.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import { dayMs } from '../kit/time.ts'
import { waitAtMost } from '../kit/wait-at-most.ts'
import type { StartedSnapshots } from '../limits/local/local-downloads.ts'
import { RefusalCounts } from '../limits/refusal-counts.ts'
import { markJournalFolder, readJournalFolder } from '../store/folder/journal-folder.ts'
import type { Layout } from '../store/folder/layout.ts'
import { Journal } from '../usage/journal.ts'
import { JournalHealth } from '../usage/journal-health.ts'
import { JournalLag } from '../usage/journal-lag.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { restoreStored } from '../usage/restore-stored.ts'
import { createClockNotes } from './clock-notes.ts'
import { followForgivenPenalties } from './forgiven-penalties.ts'
import { type LedgerListener, type LedgerTask, type LedgerThread, startLedgerThread } from './ledger-thread.ts'
import { startRefusalReports } from './refusal-reports.ts'
import { composeLimits, type ThreadLimits, type TimelineOrigin } from './serving-limits.ts'
import type { SharedServing } from './serving-memory.ts'
import { composeSharedLimits } from './shared-limits.ts'
import type { SharedNode } from './shared-node.ts'
import { describeWorkerRounds, logWorkerRound } from './worker-thread.ts'

/** Maximum wait for a fold that was asked for, in milliseconds. */
const foldWithinMs = 10_000

const bytesPerMb = 1024 * 1024

export interface ServingUsageParts {
  readonly engine: Engine
  readonly layout: Layout
  readonly clock: Clock
  readonly log: Logger
  readonly threads: Threads
  readonly outbox: Outbox
  readonly traffic: Traffic
  /** Shared memory; undefined if one thread serves. */
  readonly shared: SharedServing | undefined
  /** The nodes that share limits; undefined if they are those of this process. */
  readonly cluster: Cluster | undefined
  /** Called periodically while events have receivers. */
  onReceivers(): void
}

/** Limits, journal and ledger of a running service. */
export interface ServingUsage extends ThreadLimits {
  readonly refusals: RefusalCounts
  /** The clocks at the start of the timeline of limits. */
  readonly origin: TimelineOrigin
  readonly snapshots: StartedSnapshots
  readonly downloads: FeedDownloads
  readonly journal: Journal
  readonly lag: JournalLag
  readonly health: JournalHealth
  /** The part of this node in limits that nodes share. */
  readonly node: SharedNode | undefined
  /** Returns user-facing messages for /readyz: damage to the journal, and a wall clock that is behind. */
  notes(): string[]
  close(): Promise<void>
}

/** Opens the journal, recovers the limits from it, and starts the thread that folds it into the ledger. */
export async function openUsage(config: Config, parts: ServingUsageParts): Promise<ServingUsage> {
  const { engine, layout, clock, log, threads, traffic, shared } = parts
  await using opened = new AsyncDisposableStack()
  const downloads = opened.adopt(await engine.openFeedDownloads(), close)
  // Closes after the journal, which may still write records for the thread to fold.
  let thread: LedgerThread | undefined
  let reports: { stop(): Promise<void> } | undefined
  opened.defer(async () => {
    await reports?.stop()
    await thread?.stop()
  })
  const health = new JournalHealth(message => log.error(message))
  const { journal, writing, failing } = await openJournal(config, parts, health)
  opened.adopt(journal, close)
  const foldAll = async () => {
    await journal.flush()
    return requestFold(thread!)
  }
  let lag: JournalLag | undefined
  const foldedAgeMs = () => lag?.foldedAgeMs()
  const limitParts = { layout, ledger: engine.ledger, keys: engine.keys, journal, clock, downloads, traffic, shared }
  const { losses, damages, clockBehindMs, lastForgiven, forgiven, node, ...limits } = parts.cluster
    ? await composeSharedLimits(config, { ...limitParts, cluster: parts.cluster, log, foldAll, foldedAgeMs })
    : await composeLimits(config, limitParts)
  if (node) opened.defer(() => node.stop())
  const forgive = (key: Key, atMs: number) => {
    forgiven?.add(key, atMs)
    return limits.live.forgive(key)
  }
  opened.adopt(followForgivenPenalties(engine, { forgive, last: lastForgiven, log }), close)
  health.addLosses(losses)
  for (const damage of damages) health.addDamage(damage, damage.bytes)
  const clockNotes = createClockNotes(clock, clockBehindMs, log)
  const journalLag = new JournalLag(layout.journal, journal, clock.nowMs)
  lag = journalLag
  const refusals = new RefusalCounts()
  const ledgerThread = startLedgerThread(
    threads,
    { ...ledgerTask(config, parts, failing), writing },
    createLedgerListener(parts, { lag: journalLag, health, journal, node }),
  )
  thread = ledgerThread
  reports = startRefusalReports(refusals, async rows => void (await ledgerThread.request({ refusals: rows })))
  await node?.start()
  const running = opened.move()
  const notes = () => [...health.notes(), ...clockNotes(), ...(node?.notes() ?? [])]
  return {
    ...limits,
    node,
    downloads,
    refusals,
    journal,
    lag: journalLag,
    health,
    notes,
    close: () => running.disposeAsync(),
  }
}

/** Asks for a fold to the end of the journal. Throws StoreError if it takes too long; it continues then. */
async function requestFold(thread: LedgerThread): Promise<UsageCursor> {
  let position: UsageCursor | undefined
  const fold = async () => {
    position = await thread.request({ fold: 'all' })
  }
  await waitAtMost(foldWithinMs, fold())
  if (position !== undefined) return position
  throw new StoreError(
    `The usage journal was not folded within ${foldWithinMs / 1000} s. Check the load of PostgreSQL.`,
  )
}

/** Opens the journal, with shared memory that the ledger thread reads: the file being written, and a failure. */
async function openJournal(config: Config, parts: ServingUsageParts, health: JournalHealth) {
  const { engine, layout, log, outbox, shared } = parts
  const writing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const failing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const journal = new Journal(layout.journal, {
    endOfTurn: outbox.endOfTurn,
    ...(shared && { memory: shared.memory.journal }),
    known: await engine.ledger.files(),
    store: findBatchStore(config, engine),
    createFolder: createJournalFolder(layout),
    onFile: number => Atomics.store(writing, 0, number),
    onRestored: restoration => health.addRestoration(restoration),
    onFailure: failure => {
      Atomics.store(failing, 0, failure ? 1 : 0)
      logJournalFailure(log, layout.journal, failure)
    },
  })
  const { ledger, journals } = engine
  const restored = journals && (await restoreStored(journal, journalIn(layout.journal), ledger, journals))
  if (restored) health.addLosses(restored.losses)
  return { journal, writing: writing.buffer, failing: failing.buffer }
}

/** Returns where calls are stored before their answers leave; undefined if the journal suffices. */
export const findBatchStore = ({ journal }: Config, { journals }: Engine): BatchStore | undefined =>
  journal.ship === 'before-answer' ? journals?.batches : undefined

/** Creates the listener of the ledger thread: failures are logged, and the journal learns what has been folded. */
const createLedgerListener = (
  { log, onReceivers }: ServingUsageParts,
  { lag, health, journal, node }: Pick<ServingUsage, 'lag' | 'health' | 'journal' | 'node'>,
): LedgerListener => ({
  onFoldError: error => log.warn({ err: error }, 'Could not fold the usage journal; will retry.'),
  onShippingError: error => log.warn({ err: error }, 'Could not copy the usage journal to the blobs; will retry.'),
  onRequestLogError: error => log.warn({ err: error }, 'Could not fill the request log; will retry.'),
  onFolded: round => {
    lag.addRound(round)
    node?.addLateRecords(round.late)
    for (const damage of round.damages) health.addDamage(damage, journal.rewrite(damage))
    journal.setFolded(round.position, round.reserved)
    health.addLosses(round.losses)
  },
  onRound: event => logWorkerRound(log, event, onReceivers),
})

/** Returns a function that creates the folder of the journal again, with the mark that it has now. */
function createJournalFolder({ journal }: Layout): () => void {
  const found = readJournalFolder(journal)
  const folderId = found.state === 'intact' ? found.folderId : undefined
  return () => folderId !== undefined && markJournalFolder(journal, folderId)
}

/** Logs that the journal cannot be written, or that it can again. */
function logJournalFailure(log: Logger, folder: string, failure: JournalFailure | undefined): void {
  if (!failure) {
    log.info({ folder }, 'The usage journal can be written again. Requests are served.')
    return
  }
  const { code } = failure
  const kind = findDiskFailure(failure)?.kind
  const reason = kind ? new StoreFailure(kind, folder).message : `${folder} cannot be written (${code}).`
  log.error({ folder, code }, `${reason} Until then requests are refused, because they cannot be counted.`)
}

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

const ledgerTask = (
  config: Config,
  { engine, layout, clock, cluster }: ServingUsageParts,
  journalFailing: SharedArrayBuffer,
): Omit<LedgerTask, 'writing'> => ({
  engine: engine.descriptor,
  journal: layout.journal,
  blobs: config.blobs,
  hasStored: findBatchStore(config, engine) !== undefined,
  isShared: cluster !== undefined,
  keepMs: config.journal.keepDays * dayMs,
  maxBytes: config.journal.maxMb * bytesPerMb,
  requests: { keepMs: config.requests.keepDays * dayMs, maxBytes: config.requests.maxMb * bytesPerMb },
  packageTable: { packages: config.packages, search: config.search },
  journalFailing,
  workerRounds: engine.processes ? undefined : describeWorkerRounds(config, { layout, nowMs: clock.nowMs() }),
})
