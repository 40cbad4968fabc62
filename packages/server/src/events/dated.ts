import type { EventDraft } from '../domain/event.ts'
import type { EndingSecret } from '../domain/event-store.ts'
import type { Key } from '../domain/key.ts'
import { isClosed, longestCallMs } from '../domain/usage-report.ts'
import { getMonthSpan, hourMs, toLocalDate } from '../kit/time.ts'

const dayMs = 24 * hourMs

/** Time for which a missed date still causes its event, in milliseconds: the service may have been down. */
export const lateByMs = 7 * dayMs

/** Days before the end of a key or secret on which an event is due. */
const expiryDays = [7, 1]
/** Days before a sunset on which an event is due. */
const sunsetDays = [180, 90, 30, 7, 1]

/** Time that calls of the last minutes need to be counted before a statement is closed, in milliseconds. */
const closeAfterMs = 5 * 60_000

/**
 * Returns the smallest of `days` whose date, that many days before `endMs`, has been reached. Returns undefined if it
 * was reached before `knownSinceMs` or too long ago.
 */
function findDueDays(days: readonly number[], endMs: number, knownSinceMs: number, nowMs: number): number | undefined {
  if (nowMs >= endMs) return undefined
  const reached = days.filter(day => endMs - day * dayMs <= nowMs)
  const due = Math.min(...reached)
  const dueMs = endMs - due * dayMs
  return reached.length > 0 && dueMs >= knownSinceMs && nowMs - dueMs < lateByMs ? due : undefined
}

/** Returns the event of a key that ends soon (`expiresMs`). */
export function keyExpiryEvents(key: Key & { readonly expiresMs?: number }, nowMs: number): EventDraft[] {
  if (key.expiresMs === undefined || key.state === 'revoked') return []
  const days = findDueDays(expiryDays, key.expiresMs, key.createdMs, nowMs)
  return days === undefined ? [] : [expiryEvent(key, 'key', key.expiresMs, days, nowMs)]
}

/**
 * Returns the event of an earlier secret that ends soon. A rotation whose overlap is shorter than the notice causes
 * none: `key.rotated` has the end.
 */
export function secretExpiryEvents(key: Key, secret: EndingSecret, nowMs: number): EventDraft[] {
  const days = findDueDays(expiryDays, secret.expiresMs, secret.newestCreatedMs, nowMs)
  return days === undefined ? [] : [expiryEvent(key, 'secret', secret.expiresMs, days, nowMs)]
}

const expiryEvent = (key: Key, what: 'key' | 'secret', endMs: number, days: number, nowMs: number): EventDraft => ({
  type: 'key.expiring',
  partnerId: key.partnerId,
  atMs: nowMs,
  data: { key_id: key.id, what, ends_at: new Date(endMs).toISOString(), days_left: days },
  uniqueKey: `key.expiring:${key.id}:${what}:${endMs}:${days}`,
})

/** The dates of a version, and the partners that called it in the last 30 days or have a feed pinned to it. */
export interface VersionDates {
  readonly name: string
  readonly deprecatedMs?: number
  readonly sunsetMs?: number
  /** The version to use instead. */
  readonly successor?: string
}

/** Returns true if a version has a date whose event is due. */
export const hasDueDate = ({ deprecatedMs, sunsetMs }: VersionDates, nowMs: number): boolean =>
  isRecent(deprecatedMs, nowMs) || (sunsetMs !== undefined && findDueDays(sunsetDays, sunsetMs, 0, nowMs) !== undefined)

/** Returns the events of a version's dates for the partners that use it. */
export function versionEvents(version: VersionDates, partnerIds: readonly string[], nowMs: number): EventDraft[] {
  const { name, deprecatedMs, sunsetMs, successor } = version
  const days = sunsetMs === undefined ? undefined : findDueDays(sunsetDays, sunsetMs, 0, nowMs)
  const time = (member: string, ms: number | undefined) =>
    ms === undefined ? {} : { [member]: new Date(ms).toISOString() }
  const data = {
    version: name,
    ...time('deprecated_at', deprecatedMs),
    ...time('sunset_at', sunsetMs),
    ...(successor !== undefined && { successor }),
  }
  return partnerIds.flatMap(partnerId => {
    const event = (type: 'version.deprecated' | 'version.sunset_near', key: string, more = {}): EventDraft => ({
      type,
      partnerId,
      atMs: nowMs,
      data: { ...data, ...more },
      uniqueKey: `${type}:${name}:${key}:${partnerId}`,
    })
    return [
      ...(isRecent(deprecatedMs, nowMs) ? [event('version.deprecated', String(deprecatedMs))] : []),
      ...(days === undefined ? [] : [event('version.sunset_near', `${sunsetMs}/${days}`, { days_left: days })]),
    ]
  })
}

const isRecent = (ms: number | undefined, nowMs: number): boolean =>
  ms !== undefined && ms <= nowMs && nowMs - ms < lateByMs

/** Times that decide whether a month is closed, and whether its event has been added. */
export interface ClosingTimes {
  readonly nowMs: number
  /** Time before which all nodes have counted their calls. */
  readonly countedToMs: number
  /** The same time when events were added last; undefined if it is not known. */
  readonly closedToMs?: number | undefined
}

/**
 * Returns the events of statements in the zone of a partner, once all nodes have counted their months: of those that
 * were closed since events were added last, however late, and of the last days.
 */
export function statementEvents(
  { id, createdMs }: { readonly id: string; readonly createdMs: number },
  zone: string,
  { nowMs, countedToMs, closedToMs = nowMs }: ClosingTimes,
): EventDraft[] {
  const events: EventDraft[] = []
  const sinceMs = Math.min(nowMs - lateByMs, closedToMs - longestCallMs)
  let { fromMs: endMs } = getMonthSpan(toLocalDate(nowMs - closeAfterMs, zone).slice(0, 7), zone)
  while (endMs > sinceMs && endMs > createdMs) {
    const month = toLocalDate(endMs - 1, zone).slice(0, 7)
    const uniqueKey = `statement.closed:${id}:${month}`
    if (isClosed(endMs, nowMs, countedToMs))
      events.unshift({ type: 'statement.closed', partnerId: id, atMs: nowMs, data: { month, zone }, uniqueKey })
    endMs = getMonthSpan(month, zone).fromMs
  }
  return events
}

/** Returns the time to note after the events have been added. */
export const nextClosedTo = ({ nowMs, countedToMs, closedToMs = nowMs - lateByMs }: ClosingTimes): number =>
  Math.max(closedToMs, Math.min(nowMs, countedToMs))
