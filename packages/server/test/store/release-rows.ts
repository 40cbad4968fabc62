/** Rows in the data folders of past releases (make-release.ts). Must not change, because the fixtures contain them. */
export const places = [
  {
    source: 'fixture',
    source_id: 'a',
    name: 'Museo del Mar',
    lat: 43.37,
    lon: -8.4,
    category: 'museum',
    country: 'ES',
    status: 'OPEN',
  },
  {
    id: '9223372036854775807',
    name: 'The last lighthouse',
    lat: 10,
    lon: 20,
    category: 'attraction',
    rating: 4.5,
    review_count: 2,
  },
  {
    source: 'fixture',
    source_id: 'b',
    name: 'Old name',
    lat: 43.37,
    lon: -8.4,
    merged_into: { source: 'fixture', source_id: 'a' },
  },
]

export const reviews = [
  {
    source: 'fixture',
    source_id: 'r1',
    place_source_id: 'a',
    rating: 5,
    text: 'Wonderful.',
    lang: 'en',
    published_date: '2026-05-01',
  },
  {
    source: 'fixture',
    source_id: 'r2',
    place_source_id: 'a',
    rating: 4,
    text: 'Bonito.',
    lang: 'es',
    published_date: '2026-06-01',
  },
]
