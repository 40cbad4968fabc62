import type { Operation } from '../../domain/operation.ts'
import { presentChange } from '../../versions/primitives/changes.ts'
import { presentAncestor } from '../../versions/primitives/geos.ts'
import { matchFieldsOf } from '../../versions/primitives/match.ts'
import { presentPhoto } from '../../versions/primitives/photos.ts'
import type { Version } from '../../versions/version.ts'
import { toPagination } from '../partner/operations/pagination.ts'
import { exampleChanges, exampleLocation, examplePhoto, exampleReview, exampleSuggestions } from './example-records.ts'

const exampleMatch = {
  decision: 'same',
  score: 0.974,
  reasons: [
    { field: 'name', agrees: true, similarity: 0.94 },
    { field: 'distance', agrees: true, meters: 22 },
  ],
} as const

const exampleGeo = { ancestors: [presentAncestor({ type: 'country', name: 'Spain', code: 'ES' })] }

/** Returns an example response for each operation, built by the version's own presenters. */
export function createExamples({ present }: Version, publicUrl: string): Partial<Record<Operation, object>> {
  const context = { publicUrl, locales: [] }
  const location = present.location(exampleLocation, context)
  const catalogLocation = present.catalogLocation(exampleLocation, context)
  const found = present.searchFields({
    id: 1n,
    score: 12.5,
    matchedName: { language: 'es', value: 'Museo del Alba' },
    match: { kind: 'exact', confidence: 0.95 },
  })
  const interpretation = present.interpretation?.({
    kind: 'category_in_place',
    categoryIds: ['museum'],
    place: { id: 2n, name: 'Madrid', role: 'in', countryCode: 'ES', regionCode: 'ES-MD' },
    wants: { priceLevels: ['CHEAP'], openNow: false, nearMe: false, labels: [] },
    ignored: ['show', 'me'],
    fallbacks: [],
    corrected: [{ from: 'musuems', to: 'museums' }],
    alternatives: [{ id: 3n, name: 'Madrid', role: 'in', countryCode: 'CO', regionCode: 'CO-CUN' }],
    needs: [],
  })
  const near = present.nearbyFields({ id: 1n, distanceKm: 1.25, bearing: 45 })
  const recommended = present.recommendationFields([{ reviewId: 101n, snippet: 'Una maravilla.' }])
  const review = present.review(exampleReview, exampleLocation, { originalsOnly: false }, context)
  const category = present.listedCategory({
    id: 'pizzeria',
    displayName: 'Pizzeria',
    parentId: 'restaurant',
    topLevelCategory: 'RESTAURANT',
    count: 12,
  })
  const page = (data: object) => ({ data: [data], pagination: toPagination({ page: 1, size: 20 }, 1) })
  return {
    getLocation: { data: location },
    getLocations: { data: [location], missing_ids: [99], merged_ids: [{ from: 2, to: 1 }] },
    searchLocations: { ...page({ location, ...found }), ...interpretation },
    nearbyLocations: page({ location, ...near }),
    matchLocation: { data: [{ location, ...matchFieldsOf(exampleMatch) }] },
    autocompleteLocations: { data: exampleSuggestions.map(present.suggestion) },
    matchLocations: { data: [[{ location, ...matchFieldsOf(exampleMatch) }], []] },
    listReviews: page(review),
    getCatalogLocation: { data: catalogLocation },
    searchCatalog: { ...page({ location: catalogLocation, ...found }), ...interpretation },
    nearbyCatalog: page({ location: catalogLocation, ...near }),
    listCategories: { data: [category] },
    getGeo: { ...page({}), data: { location, ...exampleGeo, categories: [category], children: [catalogLocation] } },
    listPhotos: page(presentPhoto(examplePhoto)),
    listChanges: { data: exampleChanges.map(presentChange), cursor: 'c812', has_more: false },
    searchRecommendations: { data: [{ location, ...recommended }] },
  }
}
