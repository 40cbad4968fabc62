import type { Actor } from '../../domain/actor.ts'
import type { FeedName, Manifest } from '../../domain/feed.ts'
import type { EditionSnapshots } from '../../domain/feed-build.ts'

/** Lists the stored snapshots by edition, oldest first. */
export async function listSnapshots(
  { editions }: { editions(): Promise<readonly EditionSnapshots[]> },
  _actor: Actor,
  { feeds }: { readonly feeds?: readonly FeedName[] | undefined },
): Promise<Manifest[]> {
  return (await editions())
    .filter(({ edition }) => feeds?.includes(edition.feed) ?? true)
    .flatMap(({ snapshots }) => snapshots.map(({ manifest }) => manifest))
}
