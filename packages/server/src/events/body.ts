import type { SentEvent } from '../domain/webhook.ts'

/** Returns the body of a webhook: id, type, time and data of an event, with the partner if there is one. */
export const formatEventBody = ({ id, type, atMs, partnerId, data }: SentEvent): string =>
  JSON.stringify({
    id,
    type,
    timestamp: new Date(atMs).toISOString(),
    data: { ...(partnerId !== undefined && { partner_id: partnerId }), ...data },
  })
