import { requests } from '../primitives/requests/index.ts'
import type { Version } from '../version.ts'
import { catalogLocation } from './catalog-location.ts'
import { enumValue } from './enum-value.ts'
import { tombstoneId } from './feed.ts'
import { location } from './location.ts'
import { review } from './review.ts'
import { feedSchemas } from './schema.ts'
import { nearbyFacts, recommendationFacts, searchFacts } from './search.ts'

/** Version 0: retired over HTTP (SPEC §9.1), and what feeds may be pinned to (SPEC §9.1.8). No longer documented. */
export const v0: Version = {
  name: '0',
  ...requests,
  feedSchemas,
  present: { location, catalogLocation, review, enumValue, tombstoneId, searchFacts, nearbyFacts, recommendationFacts },
}
