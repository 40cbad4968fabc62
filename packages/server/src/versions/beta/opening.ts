import type { Location } from '../../domain/location.ts'
import { type LocalMoment, openingStateOf } from '../../domain/opening-state.ts'
import { formatInZone, isTimeZone } from '../../kit/time.ts'
import type { Opening } from '../primitives/format.ts'

/**
 * Presents whether a place is open, and when that changes, in its own time. Without known hours, or if the
 * place is not in business, it presents nothing.
 */
export function openingFields(location: Location, { nowMs, zoneAt }: Opening) {
  const { openingHours, timezone, coordinates, status } = location
  if (openingHours === undefined || (status !== undefined && status.value !== 'OPEN')) return {}
  const named = openingHours.timezone ?? timezone
  const zone = named !== undefined && isTimeZone(named) ? named : zoneAt(coordinates.latitude, coordinates.longitude)
  const state = openingStateOf(openingHours, zone, () => zone, nowMs())
  if (state === undefined) return {}
  const format = (moment: LocalMoment | undefined) => moment && formatInZone(moment, zone)
  return state.isOpen
    ? { open_now: true, next_close: format(state.closes) }
    : { open_now: false, next_open: format(state.opens) }
}
