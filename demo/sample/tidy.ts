import type { Place } from './place.ts'

/** A row of the source file; it may have more fields than a Place. */
export type SourceRow = Partial<Record<keyof Place, unknown>> & Record<string, unknown>

/** The fields of a bundled row, in order. Other fields (email, confidence …) are dropped. */
const fields: readonly (keyof Place)[] = [
  'source',
  'source_id',
  'name',
  'names',
  'category',
  'subcategories',
  'tags',
  'lat',
  'lon',
  'country',
  'region',
  'city',
  'postal_code',
  'address',
  'phone',
  'url',
  'hours',
  'timezone',
  'descriptions',
  'stars',
  'rooms',
  'population',
  'iata',
  'icao',
  'concordances',
  'status',
  'license',
]

/** Tags to keep; most tags of the source are fragments of a business directory. */
const usefulTags = new Set(
  (
    'asian bakery bar beer breakfast brewery buffet burger cafe caribbean chinese cocktail coffee dessert dinner ' +
    'french greek grill ice-cream indian italian japanese korean lounge mexican pasta pizza pub salad sandwich ' +
    'seafood spanish steakhouse sushi takeaway tapas tea thai vegan vegetarian vietnamese wine'
  ).split(' '),
)

/** Converts a source row to a bundled one; returns undefined if name or coordinates are missing. */
export function tidy(row: SourceRow): Place | undefined {
  if (typeof row.name !== 'string' || typeof row.lat !== 'number' || typeof row.lon !== 'number') return undefined
  const place: Record<string, unknown> = {}
  for (const field of fields) {
    const value = tidyValue(field, row[field])
    if (value !== undefined) place[field] = value
  }
  if (row.source === 'wikidata') place.wikidata = row.source_id
  if (row.source === 'sg_tourism') place.name = withoutSlogan(row.name)
  return place as unknown as Place
}

function tidyValue(field: keyof Place, value: unknown): unknown {
  if (value === null || value === undefined || value === 'null' || value === '') return undefined
  if (field === 'tags') return notEmpty((value as string[]).filter(tag => usefulTags.has(tag)))
  if (field === 'rooms') return Number(value) > 0 ? Number(value) : undefined
  if (field === 'population') return Number(value) > 0 ? value : undefined
  if (field === 'descriptions') {
    return Object.fromEntries(
      Object.entries(value as Record<string, string>).map(([k, text]) => [k, wholeSentences(text)]),
    )
  }
  return typeof value === 'string' ? plain(value) : value
}

/** Removes markup entities and e-mail addresses from a text. */
const plain = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[…]')
    .trim()

const notEmpty = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

/**
 * Ends a truncated description with its last complete sentence; the source truncates at 900 characters. Also removes
 * spaces inside words that the source's removal of markup left behind (`menina s`, `e l`).
 */
export function wholeSentences(text: string): string {
  const clean = plain(text)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:])/g, '$1')
    .replace(/([aeo]) s(?= )/g, '$1s')
    .replace(/\b(e) (l)\b/gi, '$1$2')
    .trim()
  if (clean.length < 850 || /[.!?…»”"]$/.test(clean)) return clean
  const end = Math.max(clean.lastIndexOf('. '), clean.lastIndexOf('! '), clean.lastIndexOf('? '))
  return end > 200 ? clean.slice(0, end + 1) : `${clean.slice(0, clean.lastIndexOf(' '))}…`
}

/** Removes slogans from a name: `Merlion Park, Singapore: Attractions & Things to Do` becomes `Merlion Park`. */
export const withoutSlogan = (name: string): string =>
  name
    .replace(/(: | [–-] )(?=.*(Attraction|Singapore|Culture|Theme Park|Hindu Temple|Leisure|Peranakan)).*$/, '')
    .replace(/- Singapore.*$/, '')
    .replace(/,? Singapore( Landmark)?$/, match => (match.startsWith(',') ? '' : match))
    .trim()
