import type { KeyObject } from 'node:crypto'
import type { FeedSource } from '../domain/stores.ts'
import type { Origin } from './history.ts'
import type { PartSettings } from './part-writer.ts'

/** What every edition of a build shares. */
export interface BuildContext {
  /** The folder `feeds`. */
  readonly root: string
  readonly source: FeedSource
  /** The moment of `source`. */
  readonly atMs: number
  readonly origin: Origin
  readonly parts: PartSettings
  readonly signingKey: KeyObject
}
