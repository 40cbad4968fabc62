import { answers, mergedId, pagination, type VersionSchemas } from '../primitives/schema.ts'
import { locationSchemas } from './schema-location.ts'
import { ratingSchemas } from './schema-ratings.ts'
import { resultSchemas } from './schema-results.ts'
import { reviewSchemas } from './schema-review.ts'

/** What version 1 answers, field by field: SPEC §2, and rulings: Operations where it is silent. */
export const schemas: VersionSchemas = {
  components: {
    ...locationSchemas,
    ...ratingSchemas,
    ...reviewSchemas,
    ...resultSchemas,
    Pagination: pagination,
    MergedId: mergedId,
  },
  answers,
}
