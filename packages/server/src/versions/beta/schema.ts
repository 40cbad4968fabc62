import { matchKinds } from '../../domain/search.ts'
import { dateTime, type TObject, type TSchema, Type } from '../../kit/json-schema.ts'
import {
  boolean,
  int64Id,
  listOf,
  number,
  object,
  oneOf,
  optional,
  ref,
  string,
  type VersionSchemas,
} from '../primitives/schema.ts'
import { interpretation, interpretationSchemas } from './interpretation.ts'

/** Returns the schemas of beta: the schemas of the stable version plus the members under test. */
export const createBetaSchemas = ({ components, responses }: VersionSchemas): VersionSchemas => ({
  components: {
    ...components,
    Region,
    ...addMembers(components, 'Location', {
      last_updated_ts: dateTime('Time of the last change of the record.'),
      open_now: optional(boolean('Whether the place is open now; missing if that is unknown.')),
      next_open: optional(dateTime('Next opening of a place that is closed now, within two weeks, in its own time.')),
      next_close: optional(dateTime('End of the current opening, within two weeks, in the time of the place.')),
      timezone: optional(string('IANA time zone: that of the record, or else the one at its coordinates.')),
      region: optional(ref('Region')),
    }),
    ...addMembers(components, 'Pagination', {
      cursor: optional(string('Position at which the next page begins, for the parameter `cursor`.')),
      next: optional(string('URL of the next page.')),
    }),
    ...addMembers(components, 'LocationsResponse', { missing_external_ids: missingExternalIds }),
    ...addMembers(components, 'SearchResult', { score, match, also }),
    ...addMembers(components, 'CatalogSearchResult', { score, match, also }),
    ...addMembers(components, 'SearchResponse', { interpretation }),
    ...addMembers(components, 'CatalogSearchResponse', { interpretation }),
    ...interpretationSchemas,
    FollowingPlace,
    Match,
  },
  responses,
})

const missingExternalIds = optional(
  listOf(string('Id in another source, as it was sent.'), 'Ids in other sources that no location has.'),
)

const score = number('Match score; higher is better. Comparable only within one response.')

const Match = object(
  {
    kind: oneOf(
      matchKinds,
      '`exact`: a name or code has all words. `variant`: another spelling of a name. `prefix`: an unfinished word. `typo`: ' +
        'a misspelled word. `category`: a place of the kind. `address`: an address or a postal code. `partial`: some of ' +
        'the words.',
    ),
    confidence: number('Share of the text that matches, and of the name; at least 0.35.', { minimum: 0, maximum: 1 }),
  },
  'How a result matches the text.',
)

const match = optional(ref('Match'))

const FollowingPlace = object(
  {
    id: int64Id('Id of the place.'),
    category_id: optional(string('Category of the place.')),
  },
  'A place that the search leaves out because a city nearby has its name.',
)

const also = optional(listOf(ref('FollowingPlace'), 'Places with this name nearby, if `collapse` is true.'))

const Region = object(
  {
    code: string('ISO 3166-2 code, such as `US-VA`.'),
    from: oneOf(['record', 'point'], 'What it was found by: a name or code in the record, or its coordinates.'),
  },
  'State or province of a location.',
)

const addMembers = (components: VersionSchemas['components'], name: string, members: Record<string, TSchema>) => {
  const { properties, required = [], ...rest } = components[name] as TObject
  const added = Type.Object(members).required ?? []
  return {
    [name]: { ...rest, required: [...required, ...added], properties: { ...properties, ...members } } as TSchema,
  }
}
