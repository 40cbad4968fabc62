import type { KeyObject } from 'node:crypto'
import type { DataWriter } from '../../domain/data-stores.ts'
import type { FeedSource } from '../../domain/feed-stores.ts'
import type { Engine, WriterOptions } from '../../domain/stores.ts'
import type { Clock } from '../../kit/clock.ts'
import { createPostgresChangeLog } from './change-log.ts'
import { openPostgresFeedSource } from './feed-source.ts'
import { createPostgresLocations } from './locations.ts'
import { createPostgresModeration } from './moderation.ts'
import { createPostgresPlaceTexts } from './place-texts.ts'
import { createPostgresPlaces } from './places.ts'
import type { PostgresPool } from './pool.ts'
import { createPostgresReviewList } from './review-list.ts'
import { createPostgresReviews } from './reviews.ts'
import { openPostgresWriter } from './writer.ts'

/** Dependencies of the stores of data. */
export interface PostgresDataParts {
  /** Connections of requests. */
  readonly serving: PostgresPool
  /** Connections of imports, feeds and decisions. */
  readonly work: PostgresPool
  /** Connections of short statements of background work. */
  readonly short: PostgresPool
  readonly pepper: KeyObject
  readonly clock: Clock
}

/** The stores of records, their changes and the decisions about them. */
export type PostgresData = Pick<
  Engine,
  'locations' | 'reviews' | 'texts' | 'changes' | 'moderation' | 'places' | 'reviewList'
> & {
  openWriter(options: WriterOptions): Promise<DataWriter>
  openFeedSource(): Promise<FeedSource>
}

/** Opens the stores of records of a PostgreSQL database. */
export const createPostgresData = ({ serving, work, short, pepper, clock }: PostgresDataParts): PostgresData => ({
  locations: createPostgresLocations(serving),
  reviews: createPostgresReviews(serving),
  texts: createPostgresPlaceTexts(work),
  changes: createPostgresChangeLog(short),
  moderation: createPostgresModeration(work, pepper, clock),
  places: createPostgresPlaces(work, pepper, clock),
  reviewList: createPostgresReviewList(work),
  openWriter: options => openPostgresWriter(work, { pepper, clock, ...options }),
  openFeedSource: () => openPostgresFeedSource(work),
})
