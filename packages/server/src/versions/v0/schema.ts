import { enumNames } from '../../domain/enum-value.ts'
import { enumerations } from '../primitives/enumerations.ts'
import { describedRef, object, oneOf, string } from '../primitives/schema.ts'
import { list, orNull } from './schema-absent.ts'
import { Location } from './schema-location.ts'
import { locationParts } from './schema-location-parts.ts'
import { ratingSchemas } from './schema-ratings.ts'
import { reviewSchemas } from './schema-review.ts'

const { TopLevelCategory, PriceLevel, TripType, DayOfWeek } = enumerations

const EnumValue = object(
  {
    id: string('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: string('Value, as it appears in records.'),
    display_name: string('Human-readable name.'),
    hierarchy: list(string('Name.'), 'Categories only: names from the top of the category tree down.'),
    top_level_category: orNull(describedRef('TopLevelCategory', 'Categories only: the top-level category.')),
  },
  'One value of an enumeration that records use.',
)

/** Schemas of the records in v0 feeds, which are what remains of v0. */
export const feedSchemas = {
  Location,
  ...reviewSchemas,
  EnumValue,
  ...locationParts,
  ...ratingSchemas,
  TopLevelCategory,
  PriceLevel,
  TripType,
  DayOfWeek,
}
