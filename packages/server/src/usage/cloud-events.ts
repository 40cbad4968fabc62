import type { ExportedUsage } from '../domain/exported-usage.ts'
import { getNextSlotStart } from './slot.ts'

/** A CloudEvent 1.0 in JSON. Source and id identify it: a receiver counts a repeated event once. */
export interface UsageEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: 'periplus.usage'
  /** Id of the partner. */
  readonly subject: string
  /** Start of the slot. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: {
    readonly partner_id: string
    readonly key_id: string
    readonly operation: string
    readonly from: string
    readonly to: string
    readonly calls: number
    readonly units: number
  }
}

/** Makes the event of exported usage. The same usage always makes the same event. */
export function toUsageEvent(usage: ExportedUsage, source: string): UsageEvent {
  const { fromMs, partnerId, keyId, operation, part, calls, units } = usage
  const from = new Date(fromMs).toISOString()
  const to = new Date(getNextSlotStart(fromMs)).toISOString()
  return {
    specversion: '1.0',
    id: `${partnerId}/${keyId}/${operation}/${from}/${part}`,
    source,
    type: 'periplus.usage',
    subject: partnerId,
    time: from,
    datacontenttype: 'application/json',
    data: { partner_id: partnerId, key_id: keyId, operation, from, to, calls, units },
  }
}
