import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Erased, ReviewModeration } from '../domain/stores.ts'
import { type RejectedRow, scrubRejects } from '../ingest/scrub-rejects.ts'
import { systemClock } from '../kit/clock.ts'
import { fragmentsOf } from '../kit/fragments.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { pepperOf } from '../store/folder/pepper.ts'
import { type Decisions, sqliteDecisions } from '../store/sqlite/decisions.ts'
import { sqliteModeration } from '../store/sqlite/moderation.ts'
import {
  type Cleaning,
  clean,
  dropSchemaCopies,
  holdsTraces,
  requestCleaning,
  textsOf,
} from '../store/sqlite/traces.ts'
import { importLockOf } from './clean-erasures.ts'
import { sweepErased } from './feeds.ts'
import { openControl, openData } from './stores.ts'

/** What the commands on single reviews work with; beside a running service and imports. */
export interface Moderating {
  readonly reviews: ReviewModeration
  /** Goes through the files of the folder for what an erasure has left in them. */
  sweep(erased: Erased, userKey?: string): Promise<Swept>
  close(): void
}

export interface Swept {
  /** Copies of older schema versions, which held the texts as well, removed whole. */
  readonly removedCopies: readonly string[]
  /** Rows that imports had rejected. */
  readonly removedRejects: number
  /** Snapshots of feeds that held the texts, taken away; the next build makes new fulls. */
  readonly withdrawnSnapshots: readonly string[]
  /** What is left to do; the running service does it. */
  readonly pending: readonly Cleaning[]
}

/** How long an erasure waits for those who read an older state of the store, milliseconds. */
const waitMs = 2000

/** Moderation of the reviews in a data folder. */
export function composeModeration(config: Config): Moderating {
  const layout = layoutOf(config.data, { create: false })
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 64, mapped: false })
  const decisions = sqliteDecisions(control, pepperOf(layout.pepper))

  const cleanUp = (): Cleaning[] => {
    const lock = importLockOf(layout.importLock)
    try {
      return clean(control, data, { mayCompact: lock !== undefined, waitMs })
    } finally {
      lock?.release()
    }
  }

  return {
    reviews: sqliteModeration(control, data, decisions, systemClock),
    sweep: async (erased, userKey) => {
      const removedCopies = dropSchemaCopies(layout.data)
      const removedRejects = await scrubRejects(join(layout.root, 'rejects'), erasedRow(decisions, erased, userKey))
      const withdrawn = await sweepErased(config)
      const withdrawnSnapshots = withdrawn.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`)
      const removed = { removedCopies, removedRejects, withdrawnSnapshots }
      const pending = cleanUp()
      if (!holdsTraces(data, layout.data, erased.texts)) return { ...removed, pending }
      requestCleaning(control, 'compact', systemClock.nowMs())
      requestCleaning(control, 'truncate', systemClock.nowMs())
      return { ...removed, pending: cleanUp() }
    },
    close: () => {
      data.close()
      control.close()
    },
  }
}

/** Tells rejected rows that name what was erased, or repeat its text. */
function erasedRow(decisions: Decisions, erased: Erased, userKey: string | undefined): (row: RejectedRow) => boolean {
  const texts = fragmentsOf(erased.texts.flatMap(textsOf))
  const ids = new Set(erased.ids.map(String))
  return ({ row, source, sourceId, id, userId }) =>
    (id !== undefined && ids.has(id)) ||
    (source !== undefined && sourceId !== undefined && decisions.isErasedKey(source, sourceId)) ||
    (userKey !== undefined && userId !== undefined && isOfUser(userKey, source, userId)) ||
    texts.in(Buffer.from(row)).size > 0
}

/** A row that names no source took it from the import's --source. */
const isOfUser = (userKey: string, source: string | undefined, userId: string): boolean =>
  source === undefined ? userKey.endsWith(`:${userId}`) : userKey === `${source}:${userId}`
