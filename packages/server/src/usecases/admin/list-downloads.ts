import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { FeedDownload } from '../../domain/feed-stores.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { LiveState } from '../../domain/live-state.ts'
import { findKey } from './find-key.ts'

/** Returns the feed snapshots that a key has begun to download in the last 90 days, oldest first. */
export async function listDownloads(
  { keys, live }: { readonly keys: KeyAdmin; readonly live: Pick<LiveState, 'downloadsOf'> },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<readonly FeedDownload[] | AdminFault> {
  const key = await findKey(keys, actor, id)
  return isAdminFault(key) ? key : live.downloadsOf(key.id)
}
