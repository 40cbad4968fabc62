import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config/load.ts'
import type { LocationReader } from '../domain/data-stores.ts'
import type { OverrideReader } from '../domain/override-value.ts'
import type { PlaceDecisions } from '../domain/places.ts'
import type { Engine } from '../domain/stores.ts'
import type { SuggestionStore } from '../domain/suggestion.ts'
import { createOverrideReader } from '../ingest/override-value.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import type { PlaceContext } from '../management/places.ts'
import { composeModeration } from './moderation.ts'

/** Dependencies of the use cases about places. */
export interface Places {
  readonly places: PlaceDecisions
  readonly locations: LocationReader
  readonly readOverride: OverrideReader
  readonly clock: Clock
  readonly suggestions: SuggestionStore
  newSuggestionId(): string
}

/** Composes the decisions about the places of an open engine; a service and imports may run concurrently. */
export const composePlaces = ({ places, locations, suggestions }: Engine): Places => ({
  places,
  locations,
  suggestions,
  newSuggestionId: () => `suggestion_${uuidv7()}`,
  readOverride: createOverrideReader(() => new Date(systemClock.nowMs()).getUTCFullYear()),
  clock: systemClock,
})

/** Composes what the admin API needs for places and reviews. */
export const composePlaceContext = (engine: Engine, config: Config): PlaceContext => ({
  ...composePlaces(engine),
  audit: engine.audit,
  reviewList: engine.reviewList,
  reviews: engine.reviews,
  moderation: () => composeModeration(engine, config),
})
