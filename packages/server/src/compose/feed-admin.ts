import type { Config } from '../config/load.ts'
import type { EditionSnapshots, FeedBuilder } from '../domain/feed-build.ts'
import type { FeedVersion } from '../domain/lifecycle.ts'
import { getFeedVersions } from './admin.ts'
import { composeFeedBuild, storedSnapshots } from './feeds.ts'

/** Dependencies of the use cases that build and list snapshots. */
export interface FeedAdmin {
  readonly builder: FeedBuilder
  readonly feedVersions: readonly FeedVersion[]
  /** Lists the snapshots of each edition. Throws the errors of openFolder. */
  editions(): Promise<readonly EditionSnapshots[]>
}

/** Composes building and listing feeds of a data folder. An aborted signal ends a build by ThreadUnavailable. */
export const composeFeedAdmin = (config: Config, signal?: AbortSignal): FeedAdmin => ({
  builder: {
    build: (request, options) => composeFeedBuild(config, request, options, signal),
  },
  feedVersions: getFeedVersions(config),
  editions: storedSnapshots(config),
})
