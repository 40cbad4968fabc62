import type { Accommodation, Award, ImageUrl, Location, LocationRanking, Price } from '../domain/location.ts'
import type { ExternalKey } from '../domain/record-write.ts'
import { compact, type FieldReader } from './field-reader.ts'

/** Reads nested `accommodation`, or the flat fields `stars` and `rooms`. */
export function readAccommodation(fields: FieldReader): Accommodation | undefined {
  const nested = fields.object('accommodation')
  return compact<Accommodation>({
    brand: nested?.text('brand'),
    chain: nested?.text('chain'),
    starRating: nested ? nested.number('star_rating') : fields.lenientNumber('stars'),
    roomCount: nested ? nested.count('room_count') : readRooms(fields),
    prices: nested?.objects('prices', item =>
      compact<Price>({
        currency: item.text('currency'),
        minRate: item.number('min_rate'),
        maxRate: item.number('max_rate'),
      }),
    ),
  })
}

function readRooms(fields: FieldReader): number | undefined {
  const rooms = fields.lenientNumber('rooms')
  return rooms !== undefined && Number.isSafeInteger(rooms) && rooms > 0 ? rooms : undefined
}

export function readPhoneNumbers(fields: FieldReader): Location['phoneNumbers'] {
  const flat = fields.text('phone')
  const nested = fields.objects('phone_numbers', item => {
    const type = item.text('type')
    const value = item.text('value')
    return value === undefined ? undefined : { ...(type !== undefined && { type }), value }
  })
  return nested ?? (flat === undefined ? undefined : [{ value: flat }])
}

export function readAwards(fields: FieldReader): Award[] | undefined {
  return fields.objects('awards', item =>
    compact<Award>({
      type: item.text('type'),
      name: item.text('name'),
      category: item.text('category'),
      geo: item.text('geo'),
      year: item.count('year'),
      image: readImage(item, 'image'),
    }),
  )
}

export function readRankings(fields: FieldReader): LocationRanking[] | undefined {
  return fields.objects('rankings', item =>
    compact<LocationRanking>({
      rank: item.count('rank'),
      total: item.count('total'),
      category: item.text('category'),
      geo: item.text('geo'),
      geoId: item.id('geo_id')?.toString(),
      displayText: item.text('display_text'),
    }),
  )
}

/** Reads an ImageUrl object (SPEC §2.3). */
export function readImage(fields: FieldReader, name: string): ImageUrl | undefined {
  const nested = fields.object(name)
  return nested && compact<ImageUrl>({ key: nested.text('key'), url: nested.text('url') })
}

/** Reads the ids of the place in other systems: first in its source, then `external_ids`, codes and concordances. */
export function readExternalIds(fields: FieldReader, key: ExternalKey): Location['externalIds'] {
  const ids = new Map<string, { source: string; id: string }>()
  const add = (source: string | undefined, id: string | undefined) => {
    if (source !== undefined && id !== undefined) ids.set(`${source}\n${id}`, { source, id })
  }
  add(key.source, key.sourceId)
  fields.objects('external_ids', item => add(item.text('source'), item.text('id')))
  for (const code of ['iata', 'icao', 'wikidata']) add(code, fields.text(code))
  for (const [source, id] of fields.textMap('concordances')) add(source, id)
  return ids.size > 0 ? [...ids.values()] : undefined
}
