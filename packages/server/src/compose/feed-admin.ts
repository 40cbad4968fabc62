import type { Config } from '../config/load.ts'
import type { EditionSnapshots, FeedBuilder } from '../domain/feed-build.ts'
import type { FeedVersion } from '../domain/lifecycle.ts'
import { getFeedVersions } from './admin.ts'
import { composeFeedBuild, listSnapshots } from './feeds.ts'

/** Dependencies of the use cases that build and list snapshots. */
export interface FeedAdmin {
  readonly builder: FeedBuilder
  readonly feedVersions: readonly FeedVersion[]
  /** Lists the snapshots of each edition. Throws the errors of openFolder. */
  editions(): Promise<readonly EditionSnapshots[]>
}

/** Composes building and listing feeds of a data folder. */
export const composeFeedAdmin = (config: Config): FeedAdmin => ({
  builder: {
    build: (request, options) => composeFeedBuild(config, request, options),
  },
  feedVersions: getFeedVersions(config),
  editions: async () => listSnapshots(config),
})
