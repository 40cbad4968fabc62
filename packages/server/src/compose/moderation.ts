import { rmSync } from 'node:fs'
import type { Config } from '../config/load.ts'
import type { ReviewModeration } from '../domain/data-stores.ts'
import type { Erased } from '../domain/erased.ts'
import type { Moderation } from '../domain/moderation.ts'
import type { Engine } from '../domain/stores.ts'
import { type IsErasedRow, scrubRejects } from '../ingest/scrub-rejects.ts'
import { systemClock } from '../kit/clock.ts'
import { removeDrafts } from '../kit/draft-file.ts'
import { createFragments, extractTexts } from '../kit/fragments.ts'
import { openLayout } from '../store/folder/layout.ts'
import { withdrawErasedSnapshots } from './build-feeds.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { scrubSharedRejects } from './shared-rejects.ts'

/** Composes the moderation of the reviews of an open engine; a service and imports may run concurrently. */
export function composeModeration(engine: Engine, config: Config): Moderation {
  const layout = openLayout(config.data)
  const blobs = findLazyBlobs(config)
  const { moderation: reviews, upkeep, photos: decisions, locations, reviewList } = engine
  return {
    reviews,
    photos: { decisions, locations, reviews: engine.reviews, reviewList },
    clock: systemClock,
    sweep: async (erased, userKey) => {
      await engine.scans.clear()
      const removedCopies = await upkeep.removeUpgradeCopies('data')
      // It has the words of the erased texts, as have drafts of killed builds; the service builds it again.
      rmSync(layout.reviewsIndex, { force: true })
      removeDrafts(layout.reviewsIndex)
      const isErased = matchErasedRows(reviews, erased, userKey)
      let removedRejects = await scrubRejects(layout.rejects, isErased)
      if (blobs) removedRejects += await scrubSharedRejects(blobs, layout.rejects, isErased)
      const withdrawn = await withdrawErasedSnapshots(engine, config, systemClock)
      const withdrawnSnapshots = withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`)
      return { removedCopies, removedRejects, withdrawnSnapshots, pending: await upkeep.cleanUp(erased.texts) }
    },
  }
}

/** Returns a predicate that is true for rejected rows that identify an erased record or repeat its text. */
function matchErasedRows(reviews: ReviewModeration, erased: Erased, userKey: string | undefined): IsErasedRow {
  const texts = createFragments(erased.texts.flatMap(extractTexts))
  const ids = new Set(erased.ids.map(String))
  return async ({ row, source, sourceId, id, userId }) =>
    (id !== undefined && ids.has(id)) ||
    (source !== undefined && sourceId !== undefined && (await reviews.isErased(source, sourceId))) ||
    (userKey !== undefined && userId !== undefined && isOfUser(userKey, source, userId)) ||
    texts.findIn(Buffer.from(row)).size > 0
}

/**
 * Returns true if a row belongs to a user. A row without a source got the default source of its import, so any source
 * matches.
 */
const isOfUser = (userKey: string, source: string | undefined, userId: string): boolean =>
  source === undefined ? userKey.endsWith(`:${userId}`) : userKey === `${source}:${userId}`
