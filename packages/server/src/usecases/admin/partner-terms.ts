import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { PartnerChange } from '../../domain/partner.ts'
import { normalizeTimeZone } from '../../kit/time.ts'
import { checkTermValues } from './key-terms.ts'

/** Highest number of live keys that a partner may be allowed to make. */
const maxLiveKeys = 1000

/** Returns a change with its time zone in the official spelling, or the fault of a term with an invalid value. */
export function checkPartnerTerms(change: PartnerChange): PartnerChange | AdminFault {
  const { agreement, scope, liveKeysMax, zone } = change
  const fault = checkTermValues({ ...(agreement && { agreement }), ...(scope && { scope }) })
  if (fault) return fault
  if (
    liveKeysMax !== undefined &&
    !(Number.isSafeInteger(liveKeysMax) && liveKeysMax >= 0 && liveKeysMax <= maxLiveKeys)
  )
    return adminFault('live_keys_invalid', ['live_keys_max'], { value: liveKeysMax, max: maxLiveKeys })
  if (zone === undefined || zone === null) return change
  const official = normalizeTimeZone(zone)
  return official === undefined
    ? adminFault('time_zone_unknown', ['zone'], { timeZone: zone })
    : { ...change, zone: official }
}
