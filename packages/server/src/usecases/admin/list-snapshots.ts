import type { Actor } from '../../domain/actor.ts'
import type { FeedName, Manifest } from '../../domain/feed.ts'
import type { EditionSnapshots, WithheldBuild } from '../../domain/feed-build.ts'

/** Stored snapshots, and the editions whose builds are withheld. */
export interface SnapshotList {
  readonly manifests: readonly Manifest[]
  readonly withheld: readonly WithheldBuild[]
}

/** Lists the stored snapshots by edition, oldest first. */
export async function listSnapshots(
  { editions }: { editions(): Promise<readonly EditionSnapshots[]> },
  _actor: Actor,
  { feeds }: { readonly feeds?: readonly FeedName[] | undefined },
): Promise<SnapshotList> {
  const listed = (await editions()).filter(({ edition }) => feeds?.includes(edition.feed) ?? true)
  return {
    manifests: listed.flatMap(({ snapshots }) => snapshots.map(({ manifest }) => manifest)),
    withheld: listed.flatMap(({ withheld }) => withheld ?? []),
  }
}
