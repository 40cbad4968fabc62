import { relative } from 'node:path'
import type { WithheldBuild } from '../domain/feed-build.ts'
import { listEditions } from '../feeds/list-editions.ts'
import type { Snapshots } from '../feeds/snapshots.ts'
import { readWithheld } from '../feeds/withheld.ts'
import type { Layout } from '../store/folder/layout.ts'

/** The problems of the feeds of a data folder, read from disk at each call. */
export interface FeedStatus {
  /** Returns the editions whose builds are withheld. */
  withheld(): WithheldBuild[]
  /** Returns a user-facing message for each edition that is withheld and each damaged snapshot. */
  notes(): string[]
}

export function createFeedStatus(layout: Layout, snapshots: Snapshots): FeedStatus {
  const withheld = () => listEditions(layout.feeds).flatMap(edition => readWithheld(layout.feeds, edition) ?? [])
  const damaged = () => listEditions(layout.feeds).flatMap(edition => snapshots.damaged(edition))
  return {
    withheld,
    notes: () => [
      ...withheld().map(describeWithheld),
      ...damaged().map(file => `${describeDamaged(relative(layout.root, file))} The next build replaces its snapshot.`),
    ],
  }
}

/** Returns a user-facing message about a damaged file; `file` is relative to the data folder. */
export const describeDamaged = (file: string): string => `${file} is damaged.`

/** Returns a user-facing message with the ways to continue an edition that is withheld. */
export function describeWithheld({ feed, version, reason, deletions, records, sinceMs }: WithheldBuild): string {
  const since = new Date(sinceMs).toISOString()
  const name = `The feed ${feed} in version ${version} has been withheld since ${since}`
  const force = "publish it with 'periplus feeds build --force'."
  return reason === 'deletions'
    ? `${name}: it would delete ${deletions} of ${records} records, more than 5 %. Import the missing records or restore a backup, then build again; or ${force}`
    : `${name}: its last snapshot was built from another data store, and the next one would delete ${deletions} of ${records} records. ` +
        `Restore a backup of that data store, then build again; or ${force}`
}
