import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { FeedName, SnapshotKind } from '../../domain/feed.ts'
import type { FeedBuildEvent, FeedBuilder, FeedBuildResult } from '../../domain/feed-build.ts'
import type { FeedVersion } from '../../domain/lifecycle.ts'

/** The snapshots to build. */
export interface FeedBuildInput {
  /** Default: a full snapshot if one is due, otherwise a delta. */
  readonly kind?: SnapshotKind | undefined
  /** Default: all. */
  readonly feeds?: readonly FeedName[] | undefined
  /** Default: all. */
  readonly versions?: readonly string[] | undefined
  /** False to return a fault if another build is running. */
  readonly mayWait: boolean
  /** True to publish what would be withheld because it deletes many records. */
  readonly force?: boolean
  readonly onEvent: (event: FeedBuildEvent) => void
}

/** Builds snapshots of the feeds. Editions that would delete many records are withheld. */
export async function buildFeeds(
  { builder, feedVersions }: { readonly builder: FeedBuilder; readonly feedVersions: readonly FeedVersion[] },
  _actor: Actor,
  { kind, feeds, versions, mayWait, force = false, onEvent }: FeedBuildInput,
): Promise<FeedBuildResult | AdminFault> {
  const implemented = feedVersions.filter(one => one.isImplemented).map(one => one.name)
  const unknown = versions?.find(name => !implemented.includes(name))
  if (unknown !== undefined)
    return adminFault('version_unknown', ['version'], { version: unknown, versions: implemented })
  const request = { ...(kind && { kind }), ...(feeds && { feeds }), ...(versions && { versions }), force }
  return builder.build(request, { mayWait, onEvent })
}
