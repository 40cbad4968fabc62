import type { FeedName } from '../domain/feed.ts'

/** Labels of the feeds. */
export const feedLabels: Readonly<Record<FeedName, string>> = {
  locations: 'Places',
  reviews: 'Reviews',
  geos: 'Cities and regions',
  enums: 'Values of enumerations',
}
