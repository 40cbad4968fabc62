import type { EventDraft } from '../domain/event.ts'
import type { EndingSecret } from '../domain/event-store.ts'
import type { Key } from '../domain/key.ts'
import { isClosed } from '../domain/usage-report.ts'
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

/** Returns the event of the statement of the last month in the zone of a partner, once all nodes have counted it. */
export function statementEvents(
  { id, createdMs }: { readonly id: string; readonly createdMs: number },
  zone: string,
  { nowMs, countedToMs }: { readonly nowMs: number; readonly countedToMs: number },
): EventDraft[] {
  const thisMonth = toLocalDate(nowMs - closeAfterMs, zone).slice(0, 7)
  const { fromMs: endMs } = getMonthSpan(thisMonth, zone)
  const isDue = nowMs - endMs < lateByMs && isClosed(endMs, nowMs, countedToMs)
  if (!isDue || createdMs >= endMs) return []
  const month = toLocalDate(endMs - 1, zone).slice(0, 7)
  const uniqueKey = `statement.closed:${id}:${month}`
  return [{ type: 'statement.closed', partnerId: id, atMs: nowMs, data: { month, zone }, uniqueKey }]
}
