import { join } from 'node:path'
import { storeFailureKinds } from '../../domain/store-errors.ts'
import type { CountedFailures } from '../failure-counts.ts'
import { type Layout, locateLocks } from '../folder/layout.ts'

/** The names of the stores by which operators know them. */
export const storeNames = { control: 'control.sqlite', data: 'data.sqlite' } as const

/** The name of the file of feed downloads. */
export const downloadsName = 'downloads.sqlite'

/** The name of the request log. */
export const requestsName = 'requests.sqlite'

/** The files whose failures are counted separately. A file has no server that could be unavailable. */
export const countedFiles: CountedFailures = {
  stores: [...Object.values(storeNames), downloadsName, requestsName],
  kinds: storeFailureKinds.filter(kind => kind !== 'busy' && kind !== 'unavailable'),
}

/** The files of the SQLite engine in a data folder (ARCHITECTURE.md). */
export interface SqliteFiles {
  /** Partners, keys, ids and usage, which cannot be rebuilt. */
  readonly control: string
  /** Locations, reviews and their change log, which can be imported again. */
  readonly data: string
  /** Feed downloads that keys have started. */
  readonly downloads: string
  /** The request log, which is filled again from the journal when it is missing. */
  readonly requests: string
  readonly importLock: string
  readonly feedsLock: string
  readonly serveLock: string
}

/** Returns the paths of the engine's files. */
export const getSqliteFiles = ({ root, generation, feeds, serveLock }: Layout): SqliteFiles => ({
  control: join(root, storeNames.control),
  data: join(generation, storeNames.data),
  downloads: join(feeds, downloadsName),
  requests: join(root, requestsName),
  importLock: locateLocks(root).import,
  feedsLock: join(feeds, 'build-lock.sqlite'),
  serveLock,
})
