import { topLevelNames } from '../domain/category.ts'
import type { FeedName } from '../domain/feed.ts'

/** Labels of the feeds. */
export const feedLabels: Readonly<Record<FeedName, string>> = {
  locations: 'Places',
  reviews: 'Reviews',
  geos: topLevelNames.GEO,
  enums: 'Values of enumerations',
}
