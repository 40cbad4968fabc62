import type { Change } from '../domain/change.ts'
import type { ChangeLog, LocationReader } from '../domain/data-stores.ts'
import type { EndpointEvent, EventQueue, LocationMove } from '../domain/event-store.ts'
import { describeChange, lastChanges, type PlaceChange } from '../domain/place-change.ts'
import {
  type BulkCounts,
  bulkEvent,
  countChanges,
  isRestricted,
  type LocationSubscriber,
  locationEvents,
  maxChangesPerMinute,
} from '../events/locations.ts'

/** Dependencies of LocationChanges. */
export interface LocationChangeParts {
  readonly changes: ChangeLog
  readonly locations: LocationReader
  readonly queue: EventQueue
  subscribers(): Promise<readonly LocationSubscriber[]>
  nowMs(): number
}

const minuteMs = 60_000
/** Number of earlier changes that the first start reads: they may be newer than the first endpoint. */
const firstChanges = 5000
/** Places in one read of the store. */
const placesPerRead = 500

/** Makes location events from the change log: ids, or counts when many places change. */
export class LocationChanges {
  readonly #parts: LocationChangeParts
  /** Start of the minute that `#inMinute` counts. */
  #minuteMs = 0
  #inMinute = 0
  /** Set while so many places change that a minute becomes one event. */
  #bulkUntilMs: number | undefined

  constructor(parts: LocationChangeParts) {
    this.#parts = parts
  }

  /**
   * Makes the events of the changes since the last call. After an interruption, the next call makes the same events.
   */
  async run(): Promise<void> {
    const { changes, queue, nowMs } = this.#parts
    const last = await changes.lastSeq()
    const stored = await queue.locationPosition()
    if (stored === last) return
    const subscribers = await this.#parts.subscribers()
    if (subscribers.length === 0) return queue.addLocationEvents([], { from: stored, to: last })
    // The first endpoint was added a moment ago: read what changed since then.
    const position = stored ?? Math.max(0, last - firstChanges)
    if (stored === undefined && !(await changes.after(position, 1)))
      return queue.addLocationEvents([], { from: stored, to: last })
    if (this.#bulkUntilMs !== undefined) {
      if (nowMs() < this.#bulkUntilMs) return
      this.#bulkUntilMs = undefined
      return this.#addCounts(subscribers, position, { from: stored, to: last })
    }
    const rows = last < position ? undefined : await changes.after(position, maxChangesPerMinute)
    // The store was replaced, or changes were pruned before they were read.
    if (rows === undefined) return this.#addUnknown(subscribers, { from: stored, to: last })
    if (rows.length === 0) return queue.addLocationEvents([], { from: stored, to: last })
    if (this.#isBulk(rows)) return
    const found = await this.#describe(lastChanges(rows))
    const through = rows.at(-1)!.seq
    const events = subscribers.flatMap(subscriber => locationEvents(subscriber, found, through, nowMs()))
    await queue.addLocationEvents(events, { from: stored, to: through })
  }

  /** Counts changes by minute; returns true when their events have to wait for the end of the minute. */
  #isBulk(rows: readonly Change[]): boolean {
    const nowMs = this.#parts.nowMs()
    const minute = nowMs - (nowMs % minuteMs)
    if (minute !== this.#minuteMs) this.#inMinute = 0
    this.#minuteMs = minute
    this.#inMinute += rows.filter(({ kind }) => kind === 'location').length
    if (rows.length < maxChangesPerMinute && this.#inMinute <= maxChangesPerMinute) return false
    this.#bulkUntilMs = minute + minuteMs
    return true
  }

  async #describe(changed: readonly Change[]): Promise<PlaceChange[]> {
    const found: PlaceChange[] = []
    for (let from = 0; from < changed.length; from += placesPerRead) {
      const part = changed.slice(from, from + placesPerRead)
      const entries = await this.#parts.locations.getMany(part.map(({ id }) => id))
      found.push(...part.map((change, i) => describeChange(change, entries[i])))
    }
    return found
  }

  async #addCounts(subscribers: readonly LocationSubscriber[], position: number, move: LocationMove): Promise<void> {
    const { changes, queue, nowMs } = this.#parts
    const counts = new Map<LocationSubscriber, BulkCounts>()
    let through = position
    while (through < move.to) {
      const rows = await changes.after(through, placesPerRead)
      if (rows === undefined) return this.#addUnknown(subscribers, move)
      if (rows.length === 0) break
      through = rows.at(-1)!.seq
      const changed = lastChanges(rows)
      // Only the scopes of keys need the records.
      const records = subscribers.some(isRestricted) ? await this.#describe(changed) : undefined
      for (const subscriber of subscribers)
        counts.set(subscriber, countChanges(counts.get(subscriber), subscriber, changed, records))
    }
    const events: EndpointEvent[] = subscribers.flatMap(one => bulkEvent(one, counts.get(one), through, nowMs()))
    await queue.addLocationEvents(events, { ...move, to: through })
  }

  #addUnknown(subscribers: readonly LocationSubscriber[], move: LocationMove): Promise<void> {
    const { queue, nowMs } = this.#parts
    return queue.addLocationEvents(
      subscribers.flatMap(subscriber => bulkEvent(subscriber, undefined, move.to, nowMs())),
      move,
    )
  }
}
