import Type, { type TArray, type TNumberOptions, type TObject, type TProperties, type TSchema } from 'typebox'

/** The answers of a version, as they are documented and as tests check them. */
export interface VersionSchemas {
  /** Named parts: components/schemas of the document. */
  readonly components: Readonly<Record<string, TSchema>>
  /** The whole body of a 200, by operation. */
  readonly answers: Readonly<Record<string, TSchema>>
}

/** One of the version's components. */
export const ref = (name: string) => Type.Ref(`#/components/schemas/${name}`)

/** The same with a note of its own. */
export const described = (name: string, description: string) =>
  Type.Ref(`#/components/schemas/${name}`, { description })

export const optional = Type.Optional

/** An object with exactly these members; one whose members may all be absent is absent itself when they are. */
export const closed = (properties: TProperties, description?: string): TObject => {
  const schema = Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
  return schema.required?.length ? schema : ({ ...schema, minProperties: 1 } as TObject)
}

/** Never empty. */
export const listOf = (items: TSchema, description?: string): TArray =>
  Type.Array(items, { minItems: 1, ...(description && { description }) })

/** The list of an answer: `[]` where nothing matched, the one exception of R-19. */
export const data = (items: TSchema) => Type.Array(items, { description: 'What was found; empty where nothing was.' })

/** Never empty. */
export const text = (description: string) => Type.String({ minLength: 1, description })

export const webAddress = (description: string) => Type.String({ format: 'uri', description })

export const date = (description: string) => Type.String({ format: 'date', description })

export const dateTime = (description: string) => Type.String({ format: 'date-time', description })

/** A decimal int64 above zero. */
export const long = (description: string) => Type.Integer({ format: 'int64', minimum: 1, description })

export const count = (description: string) => Type.Integer({ minimum: 0, description })

export const number = (description: string, bounds: TNumberOptions = {}) => Type.Number({ ...bounds, description })

export const rating = (description: string) => number(description, { minimum: 0, maximum: 5 })

export const flag = (description: string) => Type.Boolean({ description })

export const oneOf = (values: readonly string[], description: string) =>
  Type.Enum([...values], { type: 'string', description })

/** The member beside `data` in every list. */
export const pagination = closed(
  {
    page: Type.Integer({ minimum: 1, description: 'The page of this answer, from 1.' }),
    size: Type.Integer({ minimum: 1, description: 'Elements per page.' }),
    total_elements: count('How many there are on all pages; a search ranks at most 10,000.'),
    total_pages: count('How many pages there are.'),
  },
  'Where this answer stands among all pages.',
)

/** An id that was merged into another. */
export const mergedId = closed({
  from: long('The id that was asked for.'),
  to: long('The id of the location that it was merged into.'),
})

/** One thing in its envelope. */
export const one = (name: string) => closed({ data: ref(name) })

/** A page of things. */
export const page = (name: string) => closed({ data: data(ref(name)), pagination: ref('Pagination') })

/** The answers that every version so far has, over components of these names (rulings: Operations). */
export const answers = {
  getLocation: one('Location'),
  getLocations: closed({
    data: data(ref('Location')),
    missing_ids: optional(listOf(long('An id.'), 'Ids that there is no location for.')),
    merged_ids: optional(listOf(ref('MergedId'), 'Ids that were merged into others, which stand in `data` (R-24).')),
  }),
  searchLocations: page('SearchResult'),
  nearbyLocations: page('NearbyResult'),
  listReviews: page('Review'),
  getCatalogLocation: one('CatalogLocation'),
  searchCatalog: page('CatalogSearchResult'),
  nearbyCatalog: page('CatalogNearbyResult'),
  searchRecommendations: closed({ data: data(ref('Recommendation')) }),
}
