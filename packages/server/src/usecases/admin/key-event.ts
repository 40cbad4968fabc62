import type { EventDraft, EventType } from '../../domain/event.ts'
import type { Key } from '../../domain/key.ts'
import type { JsonObject } from '../../kit/json.ts'

/** Creates an event of a key that was just changed; the revision of the key makes the event unique. */
export const keyEvent = (
  type: EventType & `key.${string}`,
  { id, partnerId, revision }: Pick<Key, 'id' | 'partnerId' | 'revision'>,
  facts: JsonObject,
): Omit<EventDraft, 'atMs'> => ({
  type,
  partnerId,
  data: { key_id: id, partner_id: partnerId, ...facts },
  uniqueKey: `${type}:${id}:${revision}`,
})
