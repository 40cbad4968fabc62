import type { Config } from '../config/load.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import { readSessionTerms } from './identity.ts'
import { logReplacedFile } from './serving-folder.ts'
import { listVersionDates } from './version-dates.ts'
import type { WorkerRoundEvent, WorkerRoundsTask } from './worker-rounds.ts'

/** Data of the worker thread. */
export interface WorkerTask {
  readonly engine: EngineDescriptor
  readonly rounds: WorkerRoundsTask
}

/** Maximum wait for the end of the thread, in milliseconds; it stops after a transaction. */
const stopWithinMs = 30_000

/** Starts the thread that runs the rounds of the worker. */
export const startWorkerThread = (
  threads: Threads,
  task: WorkerTask,
  onEvent: (event: WorkerRoundEvent) => void,
): Thread<never, never, WorkerRoundEvent> =>
  threads.create<never, never, WorkerRoundEvent>({
    name: 'worker',
    entry: threadEntry('../threads/worker', import.meta.url),
    data: task,
    running: 'always',
    stopWithinMs,
    onEvent,
  })

/** Returns the settings of the rounds of the worker. */
export const describeWorkerRounds = (
  config: Config,
  { layout, nowMs }: { readonly layout: Layout; readonly nowMs: number },
): WorkerRoundsTask => ({
  usageExport: config.usage.export,
  events: { versions: listVersionDates(config, nowMs), isMailSent: config.mail.host !== undefined },
  maintenance: {
    index: layout.index,
    feeds: layout.feeds,
    keepDays: config.changeLog.keepDays,
    keepDeltaDays: config.feeds.keepDeltaDays,
    keepAuditDays: config.audit.keepDays,
    sessions: readSessionTerms(config),
    blobs: config.blobs,
  },
})

/** Logs an event of the rounds. `onReceivers` is called periodically while events have receivers. */
export function logWorkerRound(log: Logger, event: WorkerRoundEvent, onReceivers: () => void): void {
  if ('receiversExist' in event) onReceivers()
  else if ('replaced' in event) logReplacedFile(log, event.replaced)
  else if ('older' in event) logOlder(log, event.older)
  else if ('exportFailure' in event) log.warn(`${event.exportFailure} Will retry.`)
  else if ('exportError' in event) log.warn({ err: event.exportError }, 'Could not export usage; will retry.')
  else if ('eventError' in event) log.warn({ err: event.eventError }, 'Could not add events; will retry.')
  else if ('releaseError' in event)
    log.warn({ err: event.releaseError }, 'Could not remove what older releases need; will retry.')
  else log.warn({ err: event.maintenanceError }, 'Could not maintain the stores; will retry.')
}

const logOlder = (log: Logger, older: readonly string[]): void =>
  log.info(
    older.length === 0
      ? 'All processes of the database are upgraded: removed what only older releases need.'
      : `Older releases use the database: ${older.join(', ')}. What they need stays until they are upgraded or forgotten.`,
  )
