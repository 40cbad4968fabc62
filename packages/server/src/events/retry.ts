import type { DeliveryAttempt, DisabledReason } from '../domain/webhook.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Delays before the attempts after the first, in milliseconds. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  12 * hourMs,
  24 * hourMs,
]

/** Largest part by which jitter extends a delay, so that the deliveries of one outage do not return together. */
const jitter = 0.1

/** Time of consecutive failures after which an endpoint is disabled, in milliseconds. */
export const disableAfterMs = 5 * 24 * hourMs

/**
 * Returns the time of the next attempt after `attempts` failed ones (1 or more); undefined after the last.
 * `random` is in [0, 1).
 */
export function nextAttemptMs(attempts: number, nowMs: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1]
  return delayMs === undefined ? undefined : nowMs + Math.round(delayMs * (1 + jitter * random))
}

/** Returns true if the receiver has accepted the event. */
export const isAccepted = ({ status }: Pick<DeliveryAttempt, 'status'>): boolean =>
  status !== undefined && status >= 200 && status < 300

/** Returns the reason to disable an endpoint after a failed attempt, if any. */
export function reasonToDisable(
  { status, atMs }: Pick<DeliveryAttempt, 'status' | 'atMs'>,
  failingSinceMs: number | undefined,
): DisabledReason | undefined {
  if (status === 410) return 'gone'
  return failingSinceMs !== undefined && atMs - failingSinceMs >= disableAfterMs ? 'failing' : undefined
}
