import { expect, test } from 'vitest'
import type { Change } from '../domain/change.ts'
import type { EndpointEvent, EventQueue, LocationMove } from '../domain/event-store.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { LocationSubscriber } from '../events/locations.ts'
import { LocationChanges } from './location-changes.ts'

const subscriber = (id: string, scopes: LocationSubscriber['scopes']): LocationSubscriber => ({
  endpoint: { id, types: ['location.changed', 'location.bulk_changed'], createdMs: 0 },
  scopes,
})

/** A change log of places, every second one in Spain. */
function createWorld() {
  const log: Change[] = []
  const state = { nowMs: 30_000, position: 0 as number | undefined, pruned: false }
  const events: EndpointEvent[] = []
  const entry = (id: bigint) =>
    ({ id, country: id % 2n === 0n ? 'ES' : 'FR', location: () => ({ status: { value: 'OPEN' } }) }) as LocationEntry
  const places = new LocationChanges({
    changes: {
      lastSeq: async () => log.length,
      after: async (seq, limit) => (state.pruned ? undefined : log.slice(seq, seq + limit)),
      prune: async () => ({ removed: 0 }),
    },
    locations: { get: async id => entry(id), getMany: async ids => ids.map(entry), findMerged: async () => [] },
    queue: {
      locationPosition: async () => state.position,
      addLocationEvents: async (added: readonly EndpointEvent[], { from, to }: LocationMove) => {
        expect(from).toBe(state.position)
        events.push(...added)
        state.position = to
      },
    } as unknown as EventQueue,
    subscribers: async () => [subscriber('all', [{}]), subscriber('es', [{ countries: ['ES'] }])],
    nowMs: () => state.nowMs,
  })
  const change = (count: number) => {
    for (let i = 0; i < count; i++) {
      const seq = log.length + 1
      log.push({ seq, atMs: state.nowMs, kind: 'location', id: BigInt(seq), op: 'upsert' })
    }
  }
  return { state, events, places, change }
}

test('more than 10,000 changes in a minute are one event with counts in scope, at the end of the minute', async () => {
  const { state, events, places, change } = createWorld()
  change(9000)
  await places.run()
  expect(events.filter(({ endpointId }) => endpointId === 'all')).toHaveLength(18)
  expect(events.every(({ type }) => type === 'location.changed')).toBe(true)
  events.length = 0
  change(2000)
  await places.run()
  change(3000)
  await places.run()
  expect([events, state.position]).toEqual([[], 9000])
  state.nowMs = 60_000
  await places.run()
  expect(events.map(({ type, endpointId, data }) => [type, endpointId, data.changed, data.complete])).toEqual([
    ['location.bulk_changed', 'all', 5000, true],
    ['location.bulk_changed', 'es', 2500, true],
  ])
  expect(state.position).toBe(14_000)
  change(1)
  await places.run()
  expect(events.slice(2).map(({ type, endpointId }) => [type, endpointId])).toEqual([['location.changed', 'all']])
})

test('changes that were pruned before they were read are reported as incomplete', async () => {
  const { state, events, places, change } = createWorld()
  change(3)
  state.pruned = true
  await places.run()
  expect(events.map(({ data }) => data)).toEqual([{ complete: false }, { complete: false }])
  expect(state.position).toBe(3)
})
