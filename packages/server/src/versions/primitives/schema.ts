import Type, { type TArray, type TNumberOptions, type TObject, type TProperties, type TSchema } from 'typebox'

/** Response schemas of a version, used to generate the OpenAPI document and, in tests, to validate responses. */
export interface VersionSchemas {
  /** Named schemas: `components/schemas` of the document. */
  readonly components: Readonly<Record<string, TSchema>>
  /** Body of a 200 response, by operation. */
  readonly responses: Readonly<Record<string, TSchema>>
}

/** Returns a reference to a named component. */
export const ref = (name: string) => Type.Ref(`#/components/schemas/${name}`)

/** Returns a reference to a named component, with a separate description. */
export const describedRef = (name: string, description: string) =>
  Type.Ref(`#/components/schemas/${name}`, { description })

export const optional = Type.Optional

/**
 * Returns the schema of an object with exactly these members. If every member is optional, the object must have at least
 * one: empty objects are omitted.
 */
export const closedObject = (properties: TProperties, description?: string): TObject => {
  const schema = Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
  return schema.required?.length ? schema : ({ ...schema, minProperties: 1 } as TObject)
}

/** Returns the schema of an array that is never empty. */
export const listOf = (items: TSchema, description?: string): TArray =>
  Type.Array(items, { minItems: 1, ...(description && { description }) })

/** Returns the schema of the top-level `data` array: `[]` if nothing matched, the only exception to R-19. */
export const data = (items: TSchema) => Type.Array(items, { description: 'The results; empty if nothing matched.' })

/** Returns the schema of a string that is never empty. */
export const string = (description: string) => Type.String({ minLength: 1, description })

export const uri = (description: string) => Type.String({ format: 'uri', description })

export const date = (description: string) => Type.String({ format: 'date', description })

export const dateTime = (description: string) => Type.String({ format: 'date-time', description })

/** Returns the schema of an id: a positive 64-bit integer. */
export const int64Id = (description: string) => Type.Integer({ format: 'int64', minimum: 1, description })

export const count = (description: string) => Type.Integer({ minimum: 0, description })

export const number = (description: string, bounds: TNumberOptions = {}) => Type.Number({ ...bounds, description })

/** Returns the schema of an average rating or a subrating. */
export const rating = (description: string) => number(description, { minimum: 0, maximum: 5 })

/** Returns the schema of the rating of one review. */
export const reviewRating = (description: string) => number(description, { minimum: 1, maximum: 5 })

export const flag = (description: string) => Type.Boolean({ description })

export const oneOf = (values: readonly string[], description: string) =>
  Type.Enum([...values], { type: 'string', description })

/** The member `pagination`, next to `data` in every list. */
export const pagination = closedObject(
  {
    page: Type.Integer({ minimum: 1, description: 'Page number of this response; the first page is 1.' }),
    size: Type.Integer({ minimum: 1, description: 'Elements per page.' }),
    total_elements: count('Number of elements on all pages. Search ranks at most 10,000.'),
    total_pages: count('Number of pages.'),
  },
  'Position of this response among all pages.',
)

/** A requested id that was merged into another location. */
export const mergedId = closedObject({
  from: int64Id('The requested id.'),
  to: int64Id('Id of the location that it was merged into.'),
})

/** Returns the schema of a response with one object. */
export const one = (name: string) => closedObject({ data: ref(name) })

/** Returns the schema of a response with one page of a list. */
export const page = (name: string) => closedObject({ data: data(ref(name)), pagination: ref('Pagination') })

/** Response schemas that all current versions share; each version defines the referenced components (rulings: Operations). */
export const responses = {
  getLocation: one('Location'),
  getLocations: closedObject({
    data: data(ref('Location')),
    missing_ids: optional(listOf(int64Id('Id of a location.'), 'Ids without a location.')),
    merged_ids: optional(
      listOf(ref('MergedId'), 'Ids of merged locations; `data` contains the surviving locations (R-24).'),
    ),
  }),
  searchLocations: page('SearchResult'),
  nearbyLocations: page('NearbyResult'),
  listReviews: page('Review'),
  getCatalogLocation: one('CatalogLocation'),
  searchCatalog: page('CatalogSearchResult'),
  nearbyCatalog: page('CatalogNearbyResult'),
  searchRecommendations: closedObject({ data: data(ref('Recommendation')) }),
}
