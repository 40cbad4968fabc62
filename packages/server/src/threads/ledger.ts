/**
 * The ledger thread: folds the journal into the ledger, fills the request log, compacts the journal, and runs the
 * rounds of the worker where no other process can. It opens a separate engine, so that the serving thread never waits
 * for a disk (ARCHITECTURE.md).
 */
import { withFoldEvents } from '../compose/fold-events.ts'
import { startFolderMaintenance } from '../compose/folder-maintenance.ts'
import { startJournalEventRound } from '../compose/journal-event-round.ts'
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { openNodeJournal } from '../compose/node-journal.ts'
import { startWorkerRounds } from '../compose/worker-rounds.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { toError } from '../kit/to-error.ts'
import { openBlobs } from '../store/blobs/open.ts'
import { openEngine } from '../store/engine.ts'
import { RequestLogFill } from '../usage/fill-request-log.ts'
import { maintainLedger } from '../usage/maintain-ledger.ts'

await runThread<LedgerTask, LedgerEvent>(async ({ data, emit, stopping, serve }) => {
  const { journal: folder, keepMs, maxBytes } = data
  const writing = new Int32Array(data.writing)
  const engine = openEngine(data.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const blobs = data.blobs && (await openBlobs(data.blobs))
  const onError = (error: unknown) => emit({ maintenanceError: toError(error) })
  const ownRounds = [
    startFolderMaintenance(engine.jobs, onError),
    startJournalEventRound(engine, {
      journalFailing: data.journalFailing,
      nowMs: systemClock.nowMs,
      onError: error => emit({ eventError: toError(error) }),
    }),
  ]
  const sharedRounds = data.workerRounds && startWorkerRounds(engine, data.workerRounds, emit)
  const log = await engine.openRequestLogWriter()
  serve<readonly RefusalHour[], void>(refusals => log.addRefusals(refusals))
  const ledger = withFoldEvents(engine.ledger, engine.keys, data.packageTable)
  const { journal, shipping } = openNodeJournal(folder, engine.journals, blobs)
  const fill = new RequestLogFill({ journal, ledger, log, nowMs: systemClock.nowMs, ...data.requests })
  await maintainLedger({
    folder,
    journal,
    shipping,
    ledger,
    nowMs: systemClock.nowMs,
    signal: stopping,
    writing: () => Atomics.load(writing, 0),
    onError: error => emit({ foldError: toError(error) }),
    onShippingError: error => emit({ shippingError: toError(error) }),
    onFolded: folded => emit({ folded }),
    afterFold: async signal => {
      await fill.run(signal).catch(error => emit({ requestLogError: toError(error) }))
    },
    keepMs,
    maxBytes,
  })
  await Promise.all([sharedRounds?.stop(), ...ownRounds.map(round => round.stop())])
  await log.close()
  await blobs?.close()
  await engine.close()
})
