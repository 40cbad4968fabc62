import type { StoreFailureCount } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'

/** Time for which a failure that may have passed is shown, in milliseconds. */
const recentMs = 60_000

const recentTexts: Readonly<Record<Exclude<StoreFailureCount['kind'], 'damaged' | 'missing' | 'busy'>, string>> = {
  disk_full: 'its disk is full',
  read_only: 'it is read-only',
  descriptors: 'the process has too many open files',
  io: 'the disk reports errors',
  unavailable: 'its server is not available',
}

/**
 * Returns a readiness note for each store that is damaged or missing, and for each that has failed in the last minute.
 * They are notes: the records on other pages are still served, and a restart does not repair a file.
 */
export const getStoreNotes = (engine: Pick<Engine, 'failures'>, nowMs: number): string[] =>
  engine.failures().flatMap(({ store, kind, count, lastMs }) => {
    if (count === 0 || kind === 'busy') return []
    if (kind === 'damaged')
      return [`${store} is damaged: ${count} reads have failed. Run 'periplus verify', then restore a backup.`]
    if (kind === 'missing') return [`${store} was removed or replaced while it was open. Restart the service.`]
    return nowMs - lastMs < recentMs
      ? [`${store} could not be read or written in the last minute: ${recentTexts[kind]}.`]
      : []
  })
