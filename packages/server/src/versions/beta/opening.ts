import type { Location } from '../../domain/location.ts'
import { type LocalMoment, openingStateOf } from '../../domain/opening-state.ts'
import { formatInZone, normalizeTimeZone } from '../../kit/time.ts'
import type { Opening } from '../primitives/format.ts'

/** Returns the time zone of a place in its official spelling: that of its record, or else of its position. */
export function zoneOf({ openingHours, timezone, coordinates }: Location, zoneAt: Opening['zoneAt']): string {
  const named = openingHours?.timezone ?? timezone
  const known = named === undefined ? undefined : normalizeTimeZone(named)
  return known ?? zoneAt(coordinates.latitude, coordinates.longitude)
}

/**
 * Presents whether a place is open, and when that changes, in its own time. Without known hours, or if the
 * place is not in business, it presents nothing.
 */
export function openingFields(location: Location, { nowMs, zoneAt }: Opening) {
  const { openingHours, status } = location
  if (openingHours === undefined || (status !== undefined && status.value !== 'OPEN')) return {}
  const zone = zoneOf(location, zoneAt)
  const state = openingStateOf(openingHours, zone, () => zone, nowMs())
  if (state === undefined) return {}
  const format = (moment: LocalMoment | undefined) => moment && formatInZone(moment, zone)
  return state.isOpen
    ? { open_now: true, next_close: format(state.closes) }
    : { open_now: false, next_open: format(state.opens) }
}
