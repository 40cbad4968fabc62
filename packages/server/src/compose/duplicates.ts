import type { Config } from '../config/load.ts'
import type { DuplicatesFound, DuplicatesInput } from '../domain/duplicates.ts'
import type { Engine } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { tokens } from '../kit/tokens.ts'
import { findDuplicates } from '../usecases/admin/find-duplicates.ts'
import type { DuplicateStores } from '../usecases/admin/merge-duplicates.ts'
import { withEngine } from './engine.ts'
import { withFeedSource } from './feed-folder.ts'

/** Dependencies of a search for duplicates. */
export interface Duplicates extends DuplicateStores {
  readonly clock: Clock
  find(input: DuplicatesInput): Promise<DuplicatesFound>
  /** Runs `work` while no import runs. Throws LockHeld if one runs. */
  whileLocked<T>(work: () => Promise<T>): Promise<T>
}

/** Calls `work` with the places of a data folder; a service may run concurrently. */
export const withDuplicates = (config: Config, work: (duplicates: Duplicates) => Promise<void>): Promise<void> =>
  withEngine(config, { create: false }, engine => work(composeDuplicates(config, engine)))

const composeDuplicates = (config: Config, engine: Engine): Duplicates => ({
  places: engine.places,
  clock: systemClock,
  find: input => withFeedSource(engine, source => findDuplicates(source.locations.all(), tokens, input)),
  whileLocked: async work => {
    const message = `An import is running on ${config.data}. Wait until it has ended.`
    const lock = await engine.locks.hold('import', message)
    try {
      return await work()
    } finally {
      await lock.release()
    }
  },
})
