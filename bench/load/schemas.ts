import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetWriteFile } from 'hyparquet-writer'

type Fields = Readonly<Record<string, unknown>>
type Value = (row: Fields, i: number) => unknown

/**
 * Writes two Parquet files with the schemas of Overture's places and of Foursquare OS Places into `folder`, each with
 * `count` places of an NDJSON file, and returns their paths.
 */
export function publishedTablesOf(file: string, folder: string, count = 190_000): string[] {
  const places = gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Fields)
    .filter(({ name, lat, lon }) => name !== undefined && lat !== undefined && lon !== undefined)
  const rows = Array.from({ length: count }, (_, i) => places[i % places.length]!)
  return [
    writeTable(join(folder, 'overture.parquet'), rows, overtureColumns),
    writeTable(join(folder, 'foursquare.parquet'), rows, foursquareColumns),
  ]
}

function writeTable(filename: string, rows: readonly Fields[], columns: Readonly<Record<string, Value>>): string {
  const columnData = Object.entries(columns).map(([name, value]) => {
    const data = rows.map((row, i) => value(row, i) ?? null)
    const kinds = new Set(data.filter(one => one !== null).map(one => typeof one))
    const type = kinds.has('object') ? 'JSON' : kinds.has('number') ? 'DOUBLE' : 'STRING'
    return { name, type, data } as const
  })
  parquetWriteFile({ filename, columnData, rowGroupSize: 50_000 })
  return filename
}

const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))

const overtureColumns: Readonly<Record<string, Value>> = {
  id: (_, i) => `08f2a1072b3a4c1d03${i.toString(16).padStart(14, '0')}`,
  bbox: ({ lon, lat }) => ({ xmin: lon, xmax: lon, ymin: lat, ymax: lat }),
  names: ({ name, names = {} }) => ({ primary: name, common: names, rules: [] }),
  categories: ({ category }) => ({ primary: category ?? 'other', alternate: ['landmark_and_historical_building'] }),
  taxonomy: ({ category }) => ({ primary: category, hierarchy: ['travel_and_transportation', category] }),
  basic_category: ({ category }) => category,
  operating_status: (_, i) => (i % 50 === 0 ? 'permanently_closed' : 'open'),
  confidence: (_, i) => (i % 100) / 100,
  addresses: ({ address, city, postal_code, country, region }) => [
    { freeform: address, locality: city, postcode: postal_code, country, region },
  ],
  brand: (_, i) => (i % 20 === 0 ? { wikidata: 'Q37158', names: { primary: 'Starbucks' } } : undefined),
  websites: ({ url }) => (url === undefined ? undefined : [url]),
  socials: (_, i) => (i % 3 === 0 ? [`https://www.facebook.com/${100_000 + i}`] : undefined),
  phones: ({ phone }) => (phone === undefined ? undefined : [phone]),
  emails: ({ email }) => (email === undefined ? undefined : [email]),
  sources: (_, i) => [
    { property: '', dataset: 'meta', record_id: String(i), update_time: '2025-06-30T07:00:00.000Z', confidence: 0.77 },
    { property: '/properties/names', dataset: 'Foursquare', record_id: `4b${i}`, license: 'Apache-2.0' },
  ],
  version: () => 1,
}

const foursquareColumns: Readonly<Record<string, Value>> = {
  fsq_place_id: (_, i) => `4b05886ef964a520${i.toString(16).padStart(8, '0')}`,
  name: ({ name }) => text(name),
  latitude: ({ lat }) => lat,
  longitude: ({ lon }) => lon,
  address: ({ address }) => text(address),
  locality: ({ city }) => text(city),
  region: ({ region }) => text(region),
  postcode: ({ postal_code }) => text(postal_code),
  admin_region: () => undefined,
  post_town: () => undefined,
  po_box: () => undefined,
  country: ({ country }) => text(country),
  date_created: () => '2011-04-01',
  date_refreshed: () => '2025-02-03',
  date_closed: (_, i) => (i % 50 === 0 ? '2024-05-05' : undefined),
  tel: ({ phone }) => text(phone),
  website: ({ url }) => text(url),
  email: ({ email }) => text(email),
  facebook_id: (_, i) => (i % 3 === 0 ? String(100_000 + i) : undefined),
  instagram: (_, i) => (i % 7 === 0 ? `place${i}` : undefined),
  twitter: () => undefined,
  fsq_category_ids: () => ['4bf58dd8d48988d181941735'],
  fsq_category_labels: ({ category }) => ['Arts and Entertainment > Museum', `Landmarks and Outdoors > ${category}`],
  placemaker_url: (_, i) => `https://foursquare.com/placemakers/review-place/${i}`,
  unresolved_flags: () => undefined,
}
