import type { BucketLimitStatus, LimitStatus } from '../domain/limit-status.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const penaltySchema = closedObject({
  strikes: count(),
  /** End of the wait that was promised; missing after it. */
  until: Type.Optional(dateTime()),
})

const bucketSchema = closedObject({
  calls_left: count(),
  /** Time at which the whole burst is available again; missing if it is. */
  burst_full_at: Type.Optional(dateTime()),
  units_left: Type.Union([count(), Type.Literal('unlimited')]),
  window: Type.Optional(closedObject({ opened_at: dateTime(), ends_at: dateTime() })),
  penalty: Type.Optional(penaltySchema),
})

export const limitStatusSchema = closedObject({ package: bucketSchema, search: bucketSchema })

export type LimitStatusResource = Resource<typeof limitStatusSchema>

/** Presents the state of a key's limits. */
export const limitStatusResource = ({ package: own, search }: LimitStatus): LimitStatusResource => ({
  package: bucketResource(own),
  search: bucketResource(search),
})

const bucketResource = ({ callsLeft, burstFullMs, unitsLeft, window, penalty }: BucketLimitStatus) => ({
  calls_left: callsLeft,
  ...(burstFullMs !== undefined && { burst_full_at: formatDateTime(burstFullMs) }),
  units_left: unitsLeft,
  ...(window && { window: { opened_at: formatDateTime(window.openedMs), ends_at: formatDateTime(window.endsMs) } }),
  ...(penalty && {
    penalty: {
      strikes: penalty.strikes,
      ...(penalty.untilMs !== undefined && { until: formatDateTime(penalty.untilMs) }),
    },
  }),
})
