import { requests } from '../primitives/requests/index.ts'
import { createSuggestionPresenter } from '../primitives/suggestion.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { enumValue } from './enum-value.ts'
import { tombstoneId } from './feed.ts'
import { listedCategory } from './listed-category.ts'
import { location } from './location.ts'
import { review } from './review.ts'
import { schemas } from './schema.ts'
import { EnumValue, LabelledValue } from './schema-enum-value.ts'
import { nearbyFields, recommendationFields, searchFields } from './search.ts'

/**
 * Version 2: locales with dashes, labelled enumerations (rulings: Operations). It may change until it is promoted
 * (R-16).
 */
export const v2: Version = {
  name: '2',
  ...requests,
  present: {
    location,
    catalogLocation,
    listedCategory,
    review,
    enumValue,
    tombstoneId,
    searchFields,
    nearbyFields,
    recommendationFields,
    suggestion: createSuggestionPresenter(tag => tag),
  },
  schemas,
  feedSchemas: { ...schemas.components, EnumValue, LabelledValue },
}
