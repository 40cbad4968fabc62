import type { KeyObject } from 'node:crypto'
import type { FeedName } from '../domain/feed.ts'
import type { FeedSource } from '../domain/feed-stores.ts'
import type { Origin } from './history.ts'
import type { PartSettings } from './part-writer.ts'
import type { FeedWorkspace } from './workspace.ts'

/** Settings and inputs shared by all editions of a build. */
export interface BuildContext {
  readonly workspace: FeedWorkspace
  readonly source: FeedSource
  /** Time of the state that `source` reads, in milliseconds since 1970. */
  readonly atMs: number
  readonly origin: Origin
  readonly parts: PartSettings
  /** Feeds whose full snapshots are published in Parquet, too. */
  readonly parquet: readonly FeedName[]
  readonly signingKey: KeyObject
  /** True to publish what would be withheld, and to sign with another key than before. */
  readonly force: boolean
}
