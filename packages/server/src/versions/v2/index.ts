import { requests } from '../primitives/requests/index.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { enumValue } from './enum-value.ts'
import { tombstoneId } from './feed.ts'
import { location } from './location.ts'
import { review } from './review.ts'
import { schemas } from './schema.ts'
import { EnumValue } from './schema-enum-value.ts'
import { nearbyFacts, recommendationFacts, searchFacts } from './search.ts'

/** Version 2: dashed locales, labelled enumerations (rulings: Operations). May change until it is promoted. */
export const v2: Version = {
  name: '2',
  ...requests,
  present: { location, catalogLocation, review, enumValue, tombstoneId, searchFacts, nearbyFacts, recommendationFacts },
  schemas,
  feedSchemas: { ...schemas.components, EnumValue },
}
