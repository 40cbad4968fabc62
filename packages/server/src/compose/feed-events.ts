import type { EventDraft } from '../domain/event.ts'
import type { Edition, Gone, Manifest } from '../domain/feed.ts'
import type { Engine } from '../domain/stores.ts'
import { readHistory } from '../feeds/history.ts'
import { listEditions } from '../feeds/list-editions.ts'
import { dayMs } from '../kit/time.ts'

/** Age up to which a snapshot that has no event gets one, in milliseconds. */
const maxAgeMs = 7 * dayMs

/**
 * Adds an event to the outbox for each snapshot that was published or withdrawn in the last days and has none. A
 * process may end between the publication of a snapshot and its event, so the first call of a process searches all
 * snapshots.
 */
export async function recordFeedEvents(engine: Engine, root: string, nowMs: number): Promise<void> {
  const events = listEditions(root).flatMap(edition =>
    readHistory(root, edition).snapshots.flatMap(({ manifest, gone }) => snapshotEvents(edition, manifest, gone)),
  )
  const recent = events.filter(({ atMs }) => atMs > nowMs - maxAgeMs)
  if (recent.length > 0) await engine.audit.appendEvents(recent)
}

function snapshotEvents({ feed, version }: Edition, manifest: Manifest, gone: Gone | undefined): EventDraft[] {
  const { snapshot_id, kind, sequence, records, created_at } = manifest
  const published: EventDraft = {
    type: 'feed.published',
    atMs: Date.parse(created_at),
    data: { feed, version, snapshot_id, kind, sequence, records, created_at },
    uniqueKey: `feed.published:${feed}:${version}:${snapshot_id}`,
  }
  if (!gone || gone.reason === 'expired' || gone.reason === 'damaged') return [published]
  const withdrawn: EventDraft = {
    type: 'feed.withdrawn',
    atMs: Date.parse(gone.at),
    data: { feed, version, snapshot_id, reason: gone.reason, at: gone.at },
    uniqueKey: `feed.withdrawn:${feed}:${version}:${snapshot_id}`,
  }
  return [published, withdrawn]
}
