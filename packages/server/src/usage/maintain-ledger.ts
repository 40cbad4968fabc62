import { setTimeout as delay } from 'node:timers/promises'
import { repeat } from '../kit/repeat.ts'
import { hourMs } from '../kit/time.ts'
import type { FoldRounds } from './fold-rounds.ts'
import { formatCursor } from './journal-position.ts'
import { applyRetention, defaultKeepMs } from './retention.ts'
import type { JournalShipping, ShippingRound } from './ship-journal.ts'

/** Options of `maintainLedger`. */
export interface LedgerMaintenance {
  /** The journal's folder. */
  readonly folder: string
  /** Copies the journal to the blobs; undefined without these. */
  readonly shipping?: Pick<JournalShipping, 'run' | 'has' | 'dropExpired'> | undefined
  readonly nowMs: () => number
  /** Ends the maintenance. */
  readonly signal: AbortSignal
  /** Called with each failure; the next round retries, and nothing is lost. */
  readonly onError: (error: unknown) => void
  /** Called with each failure of shipping. */
  readonly onShippingError?: (error: unknown) => void
  /** Runs periodically next to the folds. Receives the signal, except after the last fold, which follows its abort. */
  readonly afterFold?: (signal?: AbortSignal) => Promise<void>
  /** Time between two runs of shipping and of `afterFold`. Default: a second. */
  readonly copyEveryMs?: number
  /** Time between two rounds, up to a second when they take more than a quarter of the time. Default: a second. */
  readonly foldEveryMs?: number
  readonly retainEveryMs?: number
  /** Limits of the journal; see RetentionOptions. */
  readonly keepMs?: number
  readonly maxBytes?: number
}

/** Longest time between two rounds, in milliseconds. */
const maxPauseMs = 1000
/** A shorter pause is at least this many times as long as the last round. */
const pauseFactor = 3
/** Maximum number of records of the last round, which follows the end of the service. */
const lastRecords = 200_000

/**
 * Folds the journal, ships it and applies its retention until the signal is aborted, and then folds what is left. Folds
 * never wait for the blobs or the request log. Blocks on disk access: run it in a dedicated thread.
 */
export async function maintainLedger(rounds: FoldRounds, maintenance: LedgerMaintenance): Promise<void> {
  const { signal, onError, foldEveryMs = maxPauseMs } = maintenance
  const last: LastRound = { round: undefined }
  const copies = startCopies(rounds, last, maintenance)
  while (!signal.aborted) {
    const startMs = performance.now()
    try {
      last.round = await rounds.run({ signal })
    } catch (error) {
      onError(error)
    }
    const pauseMs = Math.max(foldEveryMs, Math.min(maxPauseMs, pauseFactor * (performance.now() - startMs)))
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
  const round = await rounds.run({ maxRecords: lastRecords }).catch((error: unknown) => void onError(error))
  await Promise.all(copies.map(copy => copy.stop()))
  if (round) await ship({ ...round, isLast: true }, maintenance)
  await maintenance.afterFold?.()
}

/** The last round of folds; undefined before the first. */
interface LastRound {
  round: ShippingRound | undefined
}

/** Starts what runs next to the folds: shipping, and `afterFold` followed by the retention. */
function startCopies(rounds: FoldRounds, last: LastRound, maintenance: LedgerMaintenance) {
  const { nowMs, signal, onError, onShippingError = () => {}, afterFold, copyEveryMs = 1000 } = maintenance
  const { shipping, keepMs = defaultKeepMs, retainEveryMs = hourMs } = maintenance
  const atIntervals = (work: (round: ShippingRound) => Promise<void>) => {
    let doneMs = 0
    return async () => {
      if (!last.round || Math.abs(nowMs() - doneMs) < retainEveryMs) return
      doneMs = nowMs()
      await work(last.round)
    }
  }
  const dropExpired = atIntervals(async () => shipping?.dropExpired(nowMs() - keepMs))
  const retainFiles = atIntervals(round => retain(rounds, round, maintenance))
  const shipAll = async () => {
    if (last.round) await ship(last.round, maintenance)
    await dropExpired()
  }
  const log = async () => {
    await afterFold?.(signal)
    await retainFiles()
  }
  return [
    repeat(shipAll, { everyMs: copyEveryMs, onError: onShippingError }),
    repeat(log, { everyMs: copyEveryMs, onError }),
  ]
}

/** Ships the files of a round. What is not shipped stays in the folder until a later round ships it. */
async function ship(round: ShippingRound, { shipping, onShippingError = () => {} }: LedgerMaintenance): Promise<void> {
  await shipping?.run(round).catch(onShippingError)
}

async function retain(
  rounds: FoldRounds,
  { writing, files: folded }: ShippingRound,
  { folder, nowMs, keepMs = defaultKeepMs, maxBytes, shipping }: LedgerMaintenance,
): Promise<void> {
  const lost = [...folded.values()].filter(({ state }) => state === 'lost')
  await rounds.exclusively(async fold => {
    await applyRetention(folder, {
      foldedUpTo: formatCursor({ file: writing, offset: 0 }),
      nowMs: nowMs(),
      except: new Set(lost.map(({ file }) => file)),
      ...(shipping && { isShipped: file => shipping.has(folded.get(file) ?? { file, bytes: 0 }) }),
      onDrop: files => fold.markDropped(files),
      keepMs,
      ...(maxBytes !== undefined && { maxBytes }),
    })
    await fold.forgetLosses(nowMs() - keepMs)
  })
}
