import {
  fallbacks,
  type Interpretation,
  type InterpretedPlace,
  placeRoles,
  readingKinds,
  type Wants,
} from '../../domain/interpretation.ts'
import { Type } from '../../kit/json-schema.ts'
import { toLongJson } from '../../kit/long-json.ts'
import { boolean, int64Id, listOf, object, oneOf, optional, ref, string } from '../primitives/schema.ts'
import type { Json } from '../version.ts'

/** Presents what a search has read in its text, without empty members. */
export const presentInterpretation = ({
  kind,
  categoryIds,
  place,
  wants,
  ignored,
  fallbacks,
  corrected,
  alternatives,
  needs,
  suggest,
}: Interpretation): Json => ({
  interpretation: {
    kind,
    category_ids: unlessEmpty(categoryIds),
    place: place && presentPlace(place),
    wants: presentWants(wants),
    ignored: unlessEmpty(ignored),
    corrected: unlessEmpty(corrected),
    alternatives: unlessEmpty(alternatives.map(presentAlternative)),
    needs: unlessEmpty(needs),
    fallbacks: unlessEmpty(fallbacks),
    suggest,
  },
})

const presentPlace = ({ id, name, role, countryCode, regionCode }: Partial<InterpretedPlace>): Json => ({
  id: id === undefined ? undefined : toLongJson(id),
  name,
  role,
  country_code: countryCode,
  region_code: regionCode,
})

/** Presents a place without its role, which is that of `place`. */
const presentAlternative = ({ role: _, ...place }: InterpretedPlace): Json => presentPlace({ ...place })

function presentWants({ priceLevels, stars, openNow, nearMe, tripType, labels }: Wants): Json | undefined {
  const wants = {
    price_level: unlessEmpty(priceLevels),
    stars,
    open_now: openNow || undefined,
    near_me: nearMe || undefined,
    trip_type: tripType,
    amenities: unlessEmpty(labels),
  }
  return Object.values(wants).some(value => value !== undefined) ? wants : undefined
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined)

/** Member of responses of searches. */
export const interpretation = optional(ref('Interpretation'))

/** Schemas of what a search has read in its text. */
export const interpretationSchemas = {
  Interpretation: object(
    {
      kind: oneOf(
        readingKinds,
        '`name`: names of places. `category`: kinds of places; `_in_place` and `_near` say where. `place`: the text ' +
          'names a city, region or country. `address`, `postal_code`: no name has all words. `partial`: nothing has ' +
          'all words, and the results have some.',
      ),
      category_ids: optional(listOf(string('Category, or a top-level category.'), 'Kinds of places.')),
      place: optional(ref('InterpretedPlace')),
      wants: optional(ref('Wants')),
      ignored: optional(listOf(string('Word.'), 'Words that name nothing and were left out.')),
      corrected: optional(listOf(ref('Correction'), 'Words that the first result has in another spelling.')),
      alternatives: optional(listOf(ref('AlternativePlace'), 'Other places of the name of `place`.')),
      needs: optional(
        listOf(string('`location`: `lat` and `lon` of the user.'), 'What would lead to a better answer.'),
      ),
      suggest: optional(oneOf(['recommendations'], 'Operation that answers such a text better.')),
      fallbacks: optional(
        listOf(
          oneOf(
            fallbacks,
            '`kind_widened`: places of a similar kind. `address`: addresses and postal codes. `place_only`: the place that ' +
              'the text names, or places in it. `partial`: places that have some of the words.',
          ),
          'What the search has answered because nothing matches the text.',
        ),
      ),
    },
    'What the search has read in its text.',
  ),
  InterpretedPlace: object(
    {
      id: optional(int64Id('Id of the location; missing for a country or a state.')),
      name: optional(string('Name of the place.')),
      role: oneOf(placeRoles, 'Whether places in it or near it are wanted.'),
      country_code: optional(string('ISO 3166-1 alpha-2 code.')),
      region_code: optional(string('ISO 3166-2 code, such as `US-VA`.')),
    },
    'The place that the text names. Missing if the key may not read it.',
  ),
  AlternativePlace: object(
    {
      id: int64Id('Id of the location.'),
      name: optional(string('Name of the place.')),
      country_code: optional(string('ISO 3166-1 alpha-2 code.')),
      region_code: optional(string('ISO 3166-2 code, such as `US-VA`.')),
    },
    'Another place of the name in the text.',
  ),
  Correction: object(
    { from: string('Word of the text.'), to: string('Word of the first result.') },
    'A word that the first result has in another spelling.',
  ),
  Wants: object(
    {
      price_level: optional(listOf(ref('PriceLevel'), 'Price levels.')),
      stars: optional(Type.Integer({ minimum: 1, description: 'Number of stars.' })),
      open_now: optional(boolean('Open now.')),
      near_me: optional(boolean('Near the user.')),
      trip_type: optional(ref('TripType')),
      amenities: optional(listOf(string('Amenity.'), 'Amenities, such as `pool`.')),
    },
    'Preferences in the text. They do not filter.',
  ),
}
