import type { EventDraft } from '../domain/event.ts'
import type { Engine } from '../domain/stores.ts'
import { everything } from '../domain/visibility.ts'
import {
  hasDueDate,
  keyExpiryEvents,
  lateByMs,
  nextClosedTo,
  secretExpiryEvents,
  statementEvents,
  type VersionDates,
  versionEvents,
} from '../events/dated.ts'
import { dayMs } from '../kit/time.ts'

/** Number of days without calls after which a partner no longer counts as a user of a version. */
const callDays = 30
/** Zone of partners without one. */
const defaultZone = 'UTC'

/** Adds the events whose date has come: ends of keys and secrets, dates of versions, closed statements. */
export async function addDatedEvents(engine: Engine, versions: readonly VersionDates[], nowMs: number): Promise<void> {
  const { keys: store, queue } = { keys: engine.keys, queue: engine.events }
  const [keys, partners] = [await store.keys(everything), await store.partners(everything)]
  const { journals } = engine
  const countedToMs = (await journals?.foldedTo()) ?? Number.POSITIVE_INFINITY
  const times = { nowMs, countedToMs, closedToMs: await journals?.closedTo() }
  const byId = new Map(keys.map(key => [key.id, key]))
  const secrets = await queue.endingSecrets(nowMs, nowMs + lateByMs)
  const events: EventDraft[] = [
    ...keys.flatMap(key => keyExpiryEvents(key, nowMs)),
    ...secrets.flatMap(secret => secretExpiryEvents(byId.get(secret.keyId)!, secret, nowMs)),
    ...partners.flatMap(partner => statementEvents(partner, partner.zone ?? defaultZone, times)),
  ]
  for (const version of versions.filter(dates => hasDueDate(dates, nowMs))) {
    const callers = await queue.callersOf(version.name, nowMs - callDays * dayMs)
    const pinned = keys.filter(key => Object.values(key.feedPins).includes(version.name)).map(key => key.partnerId)
    events.push(...versionEvents(version, [...new Set([...callers, ...pinned])], nowMs))
  }
  await queue.add(events)
  // An earlier kill adds the same events, whose keys are unique.
  await journals?.noteClosedTo(nextClosedTo(times))
}
