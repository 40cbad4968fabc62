import { topLevelCategories } from '../../domain/category.ts'
import { priceLevels, statusValues } from '../../domain/location.ts'
import { daysOfWeek } from '../../domain/opening-hours.ts'
import { tripTypes } from '../../domain/review.ts'
import { oneOf } from './schema.ts'

/** Schemas of the enumerations that parameters and records share, by component name. */
export const enumerations = {
  StatusValue: oneOf(statusValues, 'Operating status of a location.'),
  TopLevelCategory: oneOf(topLevelCategories, 'Top-level category.'),
  PriceLevel: oneOf(priceLevels, 'Price level.'),
  TripType: oneOf(tripTypes, 'Type of trip.'),
  DayOfWeek: oneOf(daysOfWeek, 'Day of the week.'),
}
