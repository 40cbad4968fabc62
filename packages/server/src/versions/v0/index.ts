import { requests } from '../primitives/requests/index.ts'
import { createSuggestionPresenter } from '../primitives/suggestion.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { enumValue } from './enum-value.ts'
import { tombstoneId } from './feed.ts'
import { listedCategory } from './listed-category.ts'
import { location } from './location.ts'
import { review } from './review.ts'
import { feedSchemas } from './schema.ts'
import { nearbyFields, recommendationFields, searchFields } from './search.ts'

/** Version 0: retired over HTTP (SPEC §9.1) and no longer documented. Feeds may still be pinned to it (SPEC §9.1.8). */
export const v0: Version = {
  name: '0',
  ...requests,
  feedSchemas,
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
}
