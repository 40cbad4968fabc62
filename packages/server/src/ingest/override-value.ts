import { type OverrideField, overrideMembers } from '../domain/override.ts'
import type { OverrideReader } from '../domain/override-value.ts'
import { normaliseLocation } from './normalise-location.ts'

type Fields = Readonly<Record<string, unknown>>

/** The notes of imports about values that they drop or replace; an operator has to correct these values. */
const noteTexts: Readonly<Record<string, string>> = {
  unknown_country: 'country_code must be a code of two letters such as ES.',
  unknown_category: 'The category does not exist.',
  opening_hours_not_understood:
    "The opening hours must be in OpenStreetMap's syntax, such as Mo-Fr 09:00-18:00, or structured.",
  status_date_dropped: 'A closing date requires a closed place, and a reopening date a temporarily closed one.',
}

/** Creates the reader of values, which checks them like imports do; `thisYear` is for public holidays. */
export const createOverrideReader =
  (thisYear: () => number): OverrideReader =>
  (field, value, { facts, location }) => {
    const record = {
      source: facts.source,
      source_id: '-',
      name: '-',
      lat: 0,
      lon: 0,
      country: facts.country,
      timezone: location.timezone ?? location.openingHours?.timezone,
      ...fieldsOf[field](value),
    }
    const options = { defaultSource: facts.source, defaultStatus: undefined, thisYear: thisYear() }
    const read = normaliseLocation(record, options)
    if ('reason' in read) return { problem: read.detail }
    const note = read.notes.find(name => name in noteTexts)
    if (note !== undefined) return { problem: noteTexts[note]! }
    const found = read.op === 'put' ? read.location[overrideMembers[field]] : undefined
    return found === undefined || isEmpty(value)
      ? { problem: `The value is missing, or it is no ${field}.` }
      : { value: found }
  }

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

const isText = (value: unknown): value is string => typeof value === 'string'

/** The fields of an imported record that contain a value: short forms of texts, or the nested forms of R-19. */
const fieldsOf: Readonly<Record<OverrideField, (value: unknown) => Fields>> = {
  names: value => {
    if (isText(value)) return { name: value }
    return Array.isArray(value) ? { names: value } : { name: firstText(value), names: value }
  },
  status: value => ({ status: value }),
  coordinates: value => {
    if (!isText(value)) return { coordinates: value ?? 'missing', lat: undefined, lon: undefined }
    const [lat, lon] = value.split(',')
    return { lat, lon }
  },
  category: value => (isText(value) ? { category: value } : { categories: Array.isArray(value) ? value : [value] }),
  address: value =>
    isText(value) ? { addresses: [{ formatted: value }] } : { addresses: Array.isArray(value) ? value : [value] },
  phones: value => {
    if (isText(value)) return { phone: value }
    return { phone_numbers: Array.isArray(value) ? value.map(one => (isText(one) ? { value: one } : one)) : [value] }
  },
  urls: value => (isText(value) ? { url: value } : { urls: value }),
  hours: value => ({ opening_hours: value }),
  price_level: value => ({ price_level: value }),
}

function firstText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : value
}
