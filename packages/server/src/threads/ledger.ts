/**
 * The ledger thread: folds the journal into the ledger, fills the request log, compacts the journal, and runs the
 * rounds of the worker where no other process can. It opens a separate engine, so that the serving thread never waits
 * for a disk (ARCHITECTURE.md).
 */
import { withFoldEvents } from '../compose/fold-events.ts'
import { startFolderMaintenance } from '../compose/folder-maintenance.ts'
import { startJournalEventRound } from '../compose/journal-event-round.ts'
import { findLazyBlobs } from '../compose/lazy-blobs.ts'
import type { LedgerEvent, LedgerRequest, LedgerTask } from '../compose/ledger-thread.ts'
import { openNodeJournal } from '../compose/node-journal.ts'
import { startWorkerRounds } from '../compose/worker-rounds.ts'
import type { UsageCursor } from '../domain/ledger.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { toError } from '../kit/to-error.ts'
import { openEngine } from '../store/engine.ts'
import { openLayout } from '../store/folder/layout.ts'
import { RequestLogFill } from '../usage/fill-request-log.ts'
import { FoldRounds } from '../usage/fold-rounds.ts'
import { maintainLedger } from '../usage/maintain-ledger.ts'

/** Folds of nodes that share limits: what a silent node has answered is missing from limits until its fold. */
const clusterFolds = { foldEveryMs: 250 } as const

await runThread<LedgerTask, LedgerEvent>(async ({ data, emit, stopping, serve }) => {
  const { journal: folder, keepMs, maxBytes } = data
  const writing = new Int32Array(data.writing)
  const engine = openEngine(data.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const blobs = findLazyBlobs(data)
  const onError = (error: unknown) => emit({ maintenanceError: toError(error) })
  const ownRounds = [
    startFolderMaintenance(engine, {
      rejects: blobs && { folder: openLayout(data.engine.folder).rejects, blobs },
      onError,
    }),
    startJournalEventRound(engine, {
      journalFailing: data.journalFailing,
      nowMs: systemClock.nowMs,
      onError: error => emit({ eventError: toError(error) }),
    }),
  ]
  const sharedRounds = data.workerRounds && startWorkerRounds(engine, data.workerRounds, emit)
  const log = await engine.openRequestLogWriter()
  const ledger = withFoldEvents(engine.ledger, engine.keys, data.packageTable)
  const { journal, shipping } = openNodeJournal(folder, engine.journals, blobs)
  const fill = new RequestLogFill({ journal, ledger, log, nowMs: systemClock.nowMs, ...data.requests })
  const rounds = new FoldRounds({
    journal,
    ledger,
    nowMs: systemClock.nowMs,
    hasStored: data.hasStored,
    writing: () => Atomics.load(writing, 0),
    onFolded: folded => emit({ folded }),
  })
  serve<LedgerRequest, UsageCursor | undefined>(async request => {
    if ('fold' in request) return rounds.toEnd()
    await log.addRefusals(request.refusals)
    return undefined
  })
  await maintainLedger(rounds, {
    folder,
    shipping,
    nowMs: systemClock.nowMs,
    signal: stopping,
    onError: error => emit({ foldError: toError(error) }),
    onShippingError: error => emit({ shippingError: toError(error) }),
    afterFold: async signal => {
      await fill.run(signal).catch(error => emit({ requestLogError: toError(error) }))
    },
    ...(data.isShared && clusterFolds),
    keepMs,
    maxBytes,
  })
  await Promise.all([sharedRounds?.stop(), ...ownRounds.map(round => round.stop())])
  await log.close()
  await engine.close()
})
