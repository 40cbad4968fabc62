import type { EventDraft } from '../../domain/event.ts'
import type { Id } from '../../domain/id.ts'

/** Maximum number of ids in an event. */
const maxIds = 500

/** Creates the events of erased reviews. */
export function erasedEvents(ids: readonly Id[]): Omit<EventDraft, 'atMs'>[] {
  const starts = ids.map((_, i) => i).filter(i => i % maxIds === 0)
  return starts.map(start => {
    const batch = ids.slice(start, start + maxIds).map(String)
    return { type: 'review.erased', data: { ids: batch }, uniqueKey: `review.erased:${batch[0]}` }
  })
}
