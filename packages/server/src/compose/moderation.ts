import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Cleanup, Erased, ReviewModeration } from '../domain/stores.ts'
import { type RejectedRow, scrubRejects } from '../ingest/scrub-rejects.ts'
import { systemClock } from '../kit/clock.ts'
import { fragmentsOf, textsOf } from '../kit/fragments.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { sweepErasedFeeds } from './build-feeds.ts'
import { engineOf } from './engine.ts'

/** What the commands on single reviews work with; beside a running service and imports. */
export interface Moderating {
  readonly reviews: ReviewModeration
  /** Goes through the files of the folder for what an erasure has left in them. */
  sweep(erased: Erased, userKey?: string): Promise<Swept>
  close(): Promise<void>
}

export interface Swept {
  /** Copies of older schema versions, which held the texts as well, removed whole. */
  readonly removedCopies: readonly string[]
  /** Rows that imports had rejected. */
  readonly removedRejects: number
  /** Snapshots of feeds that held the texts, taken away; the next build makes new fulls. */
  readonly withdrawnSnapshots: readonly string[]
  /** What is left to do; the running service does it. */
  readonly pending: readonly Cleanup[]
}

/** Opens moderation of the reviews in a data folder. */
export function composeModeration(config: Config): Moderating {
  const layout = layoutOf(config.data, { create: false })
  const engine = engineOf(config, { create: false })
  const { moderation: reviews, upkeep } = engine
  return {
    reviews,
    sweep: async (erased, userKey) => {
      const removedCopies = await upkeep.removeUpgradeCopies('data')
      const removedRejects = await scrubRejects(join(layout.root, 'rejects'), erasedRow(reviews, erased, userKey))
      const withdrawn = await sweepErasedFeeds(engine, config, systemClock)
      const withdrawnSnapshots = withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`)
      return { removedCopies, removedRejects, withdrawnSnapshots, pending: await upkeep.cleanUp(erased.texts) }
    },
    close: () => engine.close(),
  }
}

/** Returns a predicate for rejected rows that name what was erased, or repeat its text. */
function erasedRow(
  reviews: ReviewModeration,
  erased: Erased,
  userKey: string | undefined,
): (row: RejectedRow) => Promise<boolean> {
  const texts = fragmentsOf(erased.texts.flatMap(textsOf))
  const ids = new Set(erased.ids.map(String))
  return async ({ row, source, sourceId, id, userId }) =>
    (id !== undefined && ids.has(id)) ||
    (source !== undefined && sourceId !== undefined && (await reviews.isErased(source, sourceId))) ||
    (userKey !== undefined && userId !== undefined && isOfUser(userKey, source, userId)) ||
    texts.in(Buffer.from(row)).size > 0
}

/** A row that names no source took it from the import's --source. */
const isOfUser = (userKey: string, source: string | undefined, userId: string): boolean =>
  source === undefined ? userKey.endsWith(`:${userId}`) : userKey === `${source}:${userId}`
