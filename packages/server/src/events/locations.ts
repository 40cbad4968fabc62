import type { Change } from '../domain/change.ts'
import type { EventType } from '../domain/event.ts'
import type { EndpointEvent } from '../domain/event-store.ts'
import { type PlaceChange, placeChangeTypes } from '../domain/place-change.ts'
import { inScope, type Scope } from '../domain/scope.ts'
import type { WebhookEndpoint } from '../domain/webhook.ts'

/** The types of location events, which are made for each endpoint. */
export const locationTypes = [...placeChangeTypes, 'location.bulk_changed'] as const satisfies readonly EventType[]

/** Maximum number of ids in one event. */
const maxIds = 500

/** Number of changes within a minute above which events have counts instead of ids. */
export const maxChangesPerMinute = 10_000

/** An endpoint that receives location events, with the scopes that it may see. */
export interface LocationSubscriber {
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'partnerId' | 'keyId' | 'types' | 'createdMs'>
  /** Places in any of these scopes are visible. */
  readonly scopes: readonly Scope[]
}

/**
 * Returns the events of a batch of changes for one subscriber. `through` is the number of the last change, which
 * identifies the batch. Removed places have no record to compare with a scope, so every subscriber receives their ids
 * (R-71).
 */
export function locationEvents(
  { endpoint, scopes }: LocationSubscriber,
  places: readonly PlaceChange[],
  through: number,
  nowMs: number,
): EndpointEvent[] {
  const visible = places.filter(
    ({ entry, atMs }) => atMs >= endpoint.createdMs && (!entry || scopes.some(scope => inScope(scope, entry))),
  )
  return [...Map.groupBy(visible, ({ type }) => type)]
    .filter(([type]) => endpoint.types.includes(type))
    .flatMap(([type, found]) =>
      Array.from({ length: Math.ceil(found.length / maxIds) }, (_, part) =>
        eventFor(endpoint, type, `${through}/${part}`, nowMs, dataOf(found.slice(part * maxIds, (part + 1) * maxIds))),
      ),
    )
}

/** Returns the data of an event: the ids of the places, with their survivors if they were merged. */
const dataOf = (places: readonly PlaceChange[]) =>
  places[0]!.type === 'location.merged'
    ? { locations: places.map(({ id, mergedInto }) => ({ id: id.toString(), merged_into: String(mergedInto) })) }
    : { location_ids: places.map(({ id }) => id.toString()) }

/** Counts of many changes. */
export interface BulkCounts {
  readonly changed: number
  readonly merged: number
  readonly removed: number
}

/** Returns true if a subscriber sees only a part of the places. */
export const isRestricted = ({ scopes }: LocationSubscriber): boolean =>
  !scopes.some(scope => Object.values(scope).every(part => part === undefined))

/**
 * Adds changes to the counts of a subscriber. `places` are the records of the same changes; only a restricted subscriber
 * needs them.
 */
export function countChanges(
  counts: BulkCounts | undefined,
  subscriber: LocationSubscriber,
  changes: readonly Change[],
  places: readonly PlaceChange[] | undefined,
): BulkCounts {
  const { changed, merged, removed } = counts ?? { changed: 0, merged: 0, removed: 0 }
  const visible = changes.filter((_, i) => {
    const entry = places?.[i]?.entry
    return !isRestricted(subscriber) || !entry || subscriber.scopes.some(scope => inScope(scope, entry))
  })
  const count = (op: Change['op']) => visible.filter(change => change.op === op).length
  return { changed: changed + count('upsert'), merged: merged + count('merge'), removed: removed + count('delete') }
}

/**
 * Returns the event that reports many changes to one subscriber. `counts` is undefined if the change log no longer has
 * all changes; the event then says that it is incomplete.
 */
export const bulkEvent = (
  { endpoint }: LocationSubscriber,
  counts: BulkCounts | undefined,
  through: number,
  nowMs: number,
): EndpointEvent[] =>
  endpoint.types.includes('location.bulk_changed')
    ? [
        eventFor(endpoint, 'location.bulk_changed', String(through), nowMs, {
          ...counts,
          complete: counts !== undefined,
        }),
      ]
    : []

const eventFor = (
  endpoint: LocationSubscriber['endpoint'],
  type: EventType,
  key: string,
  atMs: number,
  data: EndpointEvent['data'],
): EndpointEvent => ({
  type,
  atMs,
  data,
  endpointId: endpoint.id,
  ...(endpoint.partnerId !== undefined && { partnerId: endpoint.partnerId }),
  uniqueKey: `${type}:${endpoint.id}:${key}`,
})
