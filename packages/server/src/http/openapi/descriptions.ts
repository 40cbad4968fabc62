import type { Operation } from '../../domain/operation.ts'

interface OperationText {
  readonly tag: string
  readonly summary: string
  readonly description: string
}

/** Tag, summary and description of each operation (SPEC §4, rulings: Operations). */
export const operationTexts: Readonly<Partial<Record<Operation, OperationText>>> = {
  getLocation: {
    tag: 'Locations',
    summary: 'One location',
    description:
      'Returns a location by its id. The id of a location that was merged into another returns the surviving location.',
  },
  getLocations: {
    tag: 'Locations',
    summary: 'Several locations',
    description:
      'Returns up to 100 locations in the requested order. Ids without a location are listed in `missing_ids`. `external_id` finds locations by their ids in other sources instead. Each returned location is charged.',
  },
  searchLocations: {
    tag: 'Locations',
    summary: 'Search locations',
    description:
      'Finds locations by name, address or both; tolerates typing errors and incomplete words. Search has its own limits: debounce user input by 300 to 500 ms.',
  },
  nearbyLocations: {
    tag: 'Locations',
    summary: 'Locations nearby',
    description:
      'Returns locations around a point, around another location or within a box. Exactly one of the three is required.',
  },
  matchLocation: {
    tag: 'Locations',
    summary: 'Match a record',
    description:
      'Returns the locations that may be the place of a record of yours, with a score and reasons. A name and one more field are required: coordinates, address, postal code, city and country, phone, or an external id. POST takes up to 100 records at once.',
  },
  matchLocations: {
    tag: 'Locations',
    summary: 'Match several records',
    description:
      'Returns the locations that may be the places of up to 100 records of yours, which are a JSON array in the body. Each record is charged.',
  },
  autocompleteLocations: {
    tag: 'Locations',
    summary: 'Autocomplete',
    description:
      'Suggests places and kinds of places while a user types. It has a rate of its own, apart from search and from other requests. With `session`, one unit pays for the requests of a search and for the location that ends it.',
  },
  listReviews: {
    tag: 'Reviews',
    summary: 'Reviews of a location',
    description: 'Returns the reviews of a location in pages.',
  },
  getCatalogLocation: {
    tag: 'Catalog',
    summary: 'One location of the catalog',
    description:
      'Returns a location with a reduced set of fields. The catalog contains the complete inventory, regardless of the scope of the key.',
  },
  searchCatalog: {
    tag: 'Catalog',
    summary: 'Search the catalog',
    description:
      'Searches the complete inventory with the parameters of `searchLocations`; results have a reduced set of fields.',
  },
  nearbyCatalog: {
    tag: 'Catalog',
    summary: 'Catalog nearby',
    description:
      'Returns nearby locations from the complete inventory with the parameters of `nearbyLocations`; results have a reduced set of fields.',
  },
  listCategories: {
    tag: 'Locations',
    summary: 'Categories of places',
    description:
      'Returns the tree of categories, each after its parent, with the number of places in it and below it. Ids that only records have follow at the end.',
  },
  getGeo: {
    tag: 'Locations',
    summary: 'A city, region or country and what it contains',
    description:
      'Returns a city, region or country with the areas that it is in, the number of places in it by category, and the areas directly in it: regions of a country, counties and cities of a region, quarters of a city, of each kind the most populous first. 404 for any other location.',
  },
  listChanges: {
    tag: 'Locations',
    summary: 'Changed locations',
    description:
      'Returns the ids of the locations that have changed since a time, or since the `cursor` of an earlier answer: the oldest change first, and each location once per answer with its latest change. Repeat the call with `cursor` as `since` while `has_more` is true; later, it returns what has changed until then. 410 if some of these changes are no longer kept. Locations outside the scope of the key are left out, except for ids of removed ones.',
  },
  listPhotos: {
    tag: 'Locations',
    summary: 'Photos of a location',
    description:
      'Returns the photos of a location: first those of its record, in their order, then those of its newest 500 reviews with photos. Show `attribution` next to a photo, and observe its `license`.',
  },
  searchRecommendations: {
    tag: 'Recommendations',
    summary: 'Recommend locations',
    description:
      'Returns locations that match a request in plain words, with the reviews that support each recommendation.',
  },
}

export const tags = [
  { name: 'Locations', description: 'Places by id, by search and by distance.' },
  { name: 'Reviews', description: 'Reviews by travelers.' },
  { name: 'Catalog', description: 'The complete inventory with a reduced set of fields.' },
  { name: 'Recommendations', description: 'Places that match a request in plain words.' },
]

/** Returns the introduction of a version's document. */
export const introduction = (name: string): string =>
  `${intros[name] ?? `Version ${name} of the partner interface.`}

Every request requires an API key. Send \`version=${name}\` with every request: a request without a version gets the latest
stable version, which changes over time. Members without a value are absent, never null or empty.
Clients must ignore unknown members. Errors are \`application/problem+json\`. Every endpoint supports HEAD as well as GET.`

const intros: Readonly<Record<string, string>> = {
  beta: '**For testing and development only.** The latest stable version plus changes under test. It may change without notice.',
}

/** Example values of parameters, with which the API reference prefills its forms. */
export const parameterExamples: Readonly<Partial<Record<Operation, Readonly<Record<string, unknown>>>>> = {
  getLocation: { id: 1 },
  getLocations: { ids: [1, 2, 3] },
  searchLocations: { query: 'museum' },
  nearbyLocations: { lat: 40.4138, lon: -3.6925 },
  matchLocation: { name: 'Museo del Alba', lat: 40.4138, lon: -3.6925 },
  autocompleteLocations: { query: 'mus' },
  listReviews: { id: 1 },
  listChanges: { since: '2026-01-31' },
  listPhotos: { id: 1 },
  getGeo: { id: 11 },
  getCatalogLocation: { id: 1 },
  searchCatalog: { query: 'museum' },
  nearbyCatalog: { lat: 40.4138, lon: -3.6925 },
  searchRecommendations: { query: 'romantic dinner with a view in Madrid' },
}
