import { setTimeout as delay } from 'node:timers/promises'
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
  readonly shipping?: JournalShipping | undefined
  readonly nowMs: () => number
  /** Ends the maintenance. */
  readonly signal: AbortSignal
  /** Called with each failure; the next round retries, and nothing is lost. */
  readonly onError: (error: unknown) => void
  /** Called with each failure of shipping. */
  readonly onShippingError?: (error: unknown) => void
  /** Runs after rounds. Receives the signal, except after the last round, which follows its abort. */
  readonly afterFold?: (signal?: AbortSignal) => Promise<void>
  /** Number of rounds before the journal is shipped and `afterFold` is called. Default: 1. */
  readonly roundsBefore?: number
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
 * Folds the journal and applies its retention until the signal is aborted, and then folds what is left. Blocks on disk
 * access: run it in a dedicated thread.
 */
export async function maintainLedger(rounds: FoldRounds, maintenance: LedgerMaintenance): Promise<void> {
  const { nowMs, signal, onError, foldEveryMs = maxPauseMs, roundsBefore = 1, retainEveryMs = hourMs } = maintenance
  let retainedMs = 0
  let tookMs = 0
  for (let count = 1; !signal.aborted; count++) {
    const startMs = performance.now()
    try {
      const round = await rounds.run({ signal })
      tookMs = performance.now() - startMs
      if (count % roundsBefore === 0) {
        await ship(round, maintenance)
        await maintenance.afterFold?.(signal)
      }
      if (Math.abs(nowMs() - retainedMs) >= retainEveryMs) {
        retainedMs = nowMs()
        await retain(rounds, round, maintenance)
      }
    } catch (error) {
      onError(error)
    }
    const pauseMs = Math.max(foldEveryMs, Math.min(maxPauseMs, pauseFactor * tookMs))
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
  try {
    const last = await rounds.run({ maxRecords: lastRecords })
    await ship({ ...last, isLast: true }, maintenance)
  } catch (error) {
    onError(error)
  }
  await maintenance.afterFold?.()
}

/** Ships the files of a round. What is not shipped stays in the folder until a later round ships it. */
async function ship(round: ShippingRound, { shipping, onShippingError = () => {} }: LedgerMaintenance): Promise<void> {
  await shipping?.run(round).catch(onShippingError)
}

async function retain(
  rounds: FoldRounds,
  { writing, files: folded }: ShippingRound,
  { folder, nowMs, keepMs, maxBytes, shipping }: LedgerMaintenance,
): Promise<void> {
  const lost = [...folded.values()].filter(({ state }) => state === 'lost')
  await rounds.exclusively(async fold => {
    await applyRetention(folder, {
      foldedUpTo: formatCursor({ file: writing, offset: 0 }),
      nowMs: nowMs(),
      except: new Set(lost.map(({ file }) => file)),
      ...(shipping && { isShipped: file => shipping.has(folded.get(file) ?? { file, bytes: 0 }) }),
      onDrop: files => fold.markDropped(files),
      ...(keepMs !== undefined && { keepMs }),
      ...(maxBytes !== undefined && { maxBytes }),
    })
    await shipping?.dropExpired(nowMs() - (keepMs ?? defaultKeepMs))
    await fold.forgetLosses(nowMs() - (keepMs ?? defaultKeepMs))
  })
}
