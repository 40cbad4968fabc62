import { responses, sharedComponents } from '../primitives/responses.ts'
import type { VersionSchemas } from '../primitives/schema.ts'
import { locationSchemas } from './schema-location.ts'
import { locationParts } from './schema-location-parts.ts'
import { ratingSchemas } from './schema-ratings.ts'
import { resultSchemas } from './schema-results.ts'
import { reviewSchemas } from './schema-review.ts'

/** Response schemas of version 1 (SPEC §2; rulings: Operations, for fields that SPEC does not show). */
export const schemas: VersionSchemas = {
  components: {
    ...locationSchemas,
    ...locationParts,
    ...ratingSchemas,
    ...reviewSchemas,
    ...resultSchemas,
    ...sharedComponents,
  },
  responses,
}
