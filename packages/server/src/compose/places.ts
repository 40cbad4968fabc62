import type { OverrideReader } from '../domain/override-value.ts'
import type { PlaceDecisions } from '../domain/places.ts'
import type { Engine, LocationReader } from '../domain/stores.ts'
import { createOverrideReader } from '../ingest/override-value.ts'
import { type Clock, systemClock } from '../kit/clock.ts'

/** Dependencies of the use cases about places. */
export interface Places {
  readonly places: PlaceDecisions
  readonly locations: LocationReader
  readonly readOverride: OverrideReader
  readonly clock: Clock
}

/** Composes the decisions about the places of an open engine; a service and imports may run concurrently. */
export const composePlaces = ({ places, locations }: Engine): Places => ({
  places,
  locations,
  readOverride: createOverrideReader(() => new Date(systemClock.nowMs()).getUTCFullYear()),
  clock: systemClock,
})
