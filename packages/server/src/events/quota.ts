import type { EventDraft } from '../domain/event.ts'
import type { StoredState, Strike } from '../domain/ledger.ts'
import type { Quota } from '../domain/package.ts'
import { windowMs } from '../domain/quota-window.ts'
import { hourMs } from '../kit/time.ts'

/** The holder of limit states with its quotas: a key, or a partner whose keys share limits. */
export interface QuotaHolder {
  readonly partnerId: string
  /** Missing when the keys of the partner share limits. */
  readonly keyId?: string
  /** Quota of each bucket, in units per window. */
  readonly quotas: Readonly<Record<StoredState['bucket'], Quota>>
}

/** Finds the holder of a subject; undefined if its key does not exist. */
export type FindQuotaHolder = (subject: string) => QuotaHolder | undefined

/** Parts of a quota whose use causes an event, in percent. */
const thresholds = [80, 100] as const

/**
 * Returns an event for each threshold that the states have reached in windows that are open at `nowMs`. Repeats have
 * the same unique key.
 */
export const quotaEvents = (states: readonly StoredState[], find: FindQuotaHolder, nowMs: number): EventDraft[] =>
  states.flatMap(({ subject, bucket, windowStartMs, used }) => {
    const holder = used > 0 && windowStartMs + windowMs > nowMs ? find(subject) : undefined
    const quota = holder?.quotas[bucket]
    if (!holder || quota === undefined || quota === 'unlimited') return []
    return thresholds
      .filter(percent => used * 100 >= quota * percent)
      .map(percent => ({
        type: 'quota.threshold_reached' as const,
        partnerId: holder.partnerId,
        atMs: nowMs,
        data: {
          ...keyOf(holder),
          limit: bucket === 'search' ? 'search_quota' : 'quota',
          percent,
          used,
          quota,
          window_started_at: new Date(windowStartMs).toISOString(),
          window_ends_at: new Date(windowStartMs + windowMs).toISOString(),
        },
        uniqueKey: `quota.threshold_reached:${subject}:${bucket}:${percent}:${windowStartMs}`,
      }))
  })

/** Returns the events of strikes: one for each subject and hour. */
export const penaltyEvents = (strikes: readonly Strike[], find: FindQuotaHolder): EventDraft[] =>
  strikes.flatMap(({ subject, bucket, atMs }) => {
    const holder = find(subject)
    if (!holder) return []
    return [
      {
        type: 'limit.penalty_started' as const,
        partnerId: holder.partnerId,
        atMs,
        data: { ...keyOf(holder), limit: rateLimits[bucket] },
        uniqueKey: `limit.penalty_started:${subject}:${Math.floor(atMs / hourMs)}`,
      },
    ]
  })

/** The limit whose penalty an event reports. */
const rateLimits = { package: 'rate', search: 'search_rate', autocomplete: 'autocomplete_rate' } as const

const keyOf = ({ keyId }: QuotaHolder) => (keyId === undefined ? {} : { key_id: keyId })
