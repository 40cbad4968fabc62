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
import { EnumValue } from './schema-enum-value.ts'
import { nearbyFields, recommendationFields, searchFields } from './search.ts'
import { formatLocale } from './text.ts'

/** Version 1: stable, and frozen from release 1.0 on. */
export const v1: Version = {
  name: '1',
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
    suggestion: createSuggestionPresenter(formatLocale),
  },
  schemas,
  feedSchemas: { ...schemas.components, EnumValue },
}
