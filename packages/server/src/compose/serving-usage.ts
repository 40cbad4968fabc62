import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import type { PartnerApi } from '../http/partner/pipeline.ts'
import type { Outbox } from '../http/wire/outbox.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import { Journal } from '../usage/journal.ts'
import { JournalLag } from '../usage/journal-lag.ts'
import { type LedgerTask, startLedgerThread } from './ledger-thread.ts'
import { logReplacedFile } from './serving-folder.ts'
import { composeLimits } from './serving-limits.ts'

const dayMs = 86_400_000
const bytesPerMb = 1024 * 1024

export interface UsageParts {
  readonly engine: Engine
  readonly layout: Layout
  readonly clock: Clock
  readonly log: Logger
  readonly threads: Threads
  readonly outbox: Outbox
  readonly traffic: Traffic
}

/** Limits, journal and ledger of a running service. */
export interface ServingUsage extends Pick<PartnerApi, 'limits' | 'badKeys'> {
  readonly journal: Journal
  readonly lag: JournalLag
  close(): Promise<void>
}

/** Opens the journal, recovers the limits from it, and starts the thread that folds it into the ledger. */
export async function openUsage(config: Config, parts: UsageParts): Promise<ServingUsage> {
  const { engine, layout, clock, log, threads, outbox, traffic } = parts
  const { ledger } = engine
  await using opened = new AsyncDisposableStack()
  const downloads = opened.adopt(await engine.openFeedDownloads(), close)
  // Closes after the journal, which may still write records for the thread to fold.
  let thread: { stop(): Promise<void> } | undefined
  opened.defer(async () => thread?.stop())
  const journal = opened.adopt(new Journal(layout.journal, { endOfTurn: outbox.endOfTurn }), close)
  const limits = await composeLimits(config, { layout, ledger, journal, clock, downloads, traffic })
  const lag = new JournalLag(layout.journal, journal, await ledger.position(), clock.nowMs)
  thread = startLedgerThread(threads, ledgerTask(config, engine, layout), {
    onFoldError: error => log.warn({ err: error }, 'Could not fold the usage journal; will retry.'),
    onMaintenanceError: error => log.warn({ err: error }, 'Could not maintain the stores; will retry.'),
    onFolded: round => lag.addRound(round),
    onReplaced: replaced => logReplacedFile(log, replaced),
  })
  const running = opened.move()
  return { ...limits, journal, lag, close: () => running.disposeAsync() }
}

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

const ledgerTask = (config: Config, engine: Engine, layout: Layout): LedgerTask => ({
  engine: engine.descriptor,
  journal: layout.journal,
  keepMs: config.journal.keepDays * dayMs,
  maxBytes: config.journal.maxMb * bytesPerMb,
  maintenance: {
    index: layout.index,
    feeds: layout.feeds,
    keepDays: config.changeLog.keepDays,
    keepDeltaDays: config.feeds.keepDeltaDays,
  },
})
