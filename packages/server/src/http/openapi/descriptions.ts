import type { Operation } from '../../domain/operation.ts'

interface Described {
  readonly tag: string
  readonly summary: string
  readonly description: string
}

/** What the document says of each endpoint (SPEC §4, rulings: Operations). */
export const operationTexts: Readonly<Partial<Record<Operation, Described>>> = {
  getLocation: {
    tag: 'Locations',
    summary: 'One location',
    description: 'A location by id. The id of a location that was merged into another gives the survivor (R-24).',
  },
  getLocations: {
    tag: 'Locations',
    summary: 'Several locations',
    description:
      'Up to 100 locations in the order asked. Ids that there is no location for are left out of `data` and listed in `missing_ids`; charged by the locations returned.',
  },
  searchLocations: {
    tag: 'Locations',
    summary: 'Search locations',
    description:
      'Finds locations by name, address or both; forgives typing errors and unfinished words. Debounce by 300 to 500 ms where people type: search has limits of its own (SPEC §8.3).',
  },
  nearbyLocations: {
    tag: 'Locations',
    summary: 'Locations nearby',
    description:
      'Locations around a point, around another location, or in a box; exactly one of the three has to be given.',
  },
  listReviews: {
    tag: 'Reviews',
    summary: 'Reviews of a location',
    description: 'The reviews of a location, page by page.',
  },
  getCatalogLocation: {
    tag: 'Catalog',
    summary: 'One location of the catalog',
    description:
      'A location in the light projection; the catalog shows the whole inventory, whatever the scope of a key.',
  },
  searchCatalog: {
    tag: 'Catalog',
    summary: 'Search the catalog',
    description: 'The search of locations over the whole inventory, in the light projection.',
  },
  nearbyCatalog: {
    tag: 'Catalog',
    summary: 'Catalog nearby',
    description: 'Locations nearby over the whole inventory, in the light projection.',
  },
  searchRecommendations: {
    tag: 'Recommendations',
    summary: 'Recommend locations',
    description: 'Locations that answer a wish in plain words, with the reviews that say why.',
  },
}

export const tags = [
  { name: 'Locations', description: 'Places by id, by search and by distance.' },
  { name: 'Reviews', description: 'What travelers wrote.' },
  { name: 'Catalog', description: 'The whole inventory in a light projection.' },
  { name: 'Recommendations', description: 'Places for a wish.' },
]

/** The introduction of a version's document. */
export const introduction = (name: string): string =>
  `${intros[name] ?? `Version ${name} of the partner interface.`}

Every request carries an API key, and should carry \`version=${name}\`: a request without a version gets the latest stable
one, which moves on (SPEC §9.1). Members without a value are absent, never null or empty (SPEC §2). Ignore members that
you do not know. Errors are \`application/problem+json\`. Every endpoint answers HEAD as it answers GET.`

const intros: Readonly<Record<string, string>> = {
  beta: '**For testing and development only.** The latest stable version plus changes under test; may break without notice (SPEC §9.3).',
}

/** What a reader who tries an endpoint starts from. */
export const parameterExamples: Readonly<Partial<Record<Operation, Readonly<Record<string, unknown>>>>> = {
  getLocation: { id: 1 },
  getLocations: { ids: [1, 2, 3] },
  searchLocations: { query: 'museum' },
  nearbyLocations: { lat: 40.4138, lon: -3.6925 },
  listReviews: { id: 1 },
  getCatalogLocation: { id: 1 },
  searchCatalog: { query: 'museum' },
  nearbyCatalog: { lat: 40.4138, lon: -3.6925 },
  searchRecommendations: { query: 'romantic dinner with a view in Madrid' },
}
