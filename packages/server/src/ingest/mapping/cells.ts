import type { Rejection } from '../../domain/import.ts'
import { parseLongJson } from '../../kit/long-json.ts'
import { type Position, toPoint } from '../formats/geometry.ts'

/** Fields whose cells may contain JSON objects and lists. */
const jsonFields = new Set(
  (
    'names descriptions subratings concordances addresses categories attributes opening_hours phone_numbers urls ' +
    'accommodation photos attributions neighborhoods awards rankings external_ids traveler_ratings owner_response ' +
    'title text user merged_into status alt_name subcategories tags cuisine'
  ).split(' '),
)

/** Fields whose cells may contain several values, separated by semicolons. */
const listFields = new Set(['alt_name', 'subcategories', 'tags', 'cuisine'])

const numberFields = new Set(['lat', 'lon', 'latitude', 'longitude', 'rating', 'stars', 'rooms', 'review_count'])

/**
 * Sets a field of a record from a cell, in the form of an NDJSON record. Returns a rejection if the cell is invalid.
 */
export function setField(record: Record<string, unknown>, field: string, value: unknown): Rejection | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (field === 'geometry' || (field === 'coordinates' && !isCoordinatesObject(value))) return setPoint(record, value)
  const dot = field.indexOf('.')
  if (dot !== -1) return setMember(record, field.slice(0, dot), field.slice(dot + 1), parseMember(field, value))
  if (typeof value !== 'string') {
    record[field] = value instanceof Date ? value.toISOString() : field === 'categories' ? toCategories(value) : value
    return undefined
  }
  if (jsonFields.has(field) && /^\s*[[{]/.test(value)) {
    const parsed = parseJson(value)
    if (parsed !== undefined) record[field] = parsed
    // Plain text may start with a bracket.
    else if (field === 'title' || field === 'text' || listFields.has(field)) record[field] = value
    else return { reason: 'invalid_value', field, detail: `${field} starts like JSON but is not valid JSON.` }
    return undefined
  }
  record[field] = parseText(field, value)
  return undefined
}

/** Converts a list of names of categories, as databases have it, to categories. */
const toCategories = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(item => (typeof item === 'string' ? { display_name: item } : item)) : value

function parseText(field: string, value: string): unknown {
  if (listFields.has(field) && value.includes(';')) return value.split(';').map(part => part.trim())
  return numberFields.has(field) ? withDecimalPoint(value) : value
}

/** Parses a member of a structured field; subratings are numbers. */
const parseMember = (field: string, value: unknown): unknown =>
  typeof value === 'string' && field.startsWith('subratings.') ? withDecimalPoint(value) : value

/** Accepts a decimal comma, as in 40,4138. */
const withDecimalPoint = (value: string): string => (/^\s*-?\d+,\d+\s*$/.test(value) ? value.replace(',', '.') : value)

function setMember(record: Record<string, unknown>, field: string, member: string, value: unknown): undefined {
  const own = record[field]
  const members: Record<string, unknown> =
    typeof own === 'object' && own !== null && !Array.isArray(own) ? { ...own } : {}
  members[member] = value
  record[field] = members
}

function setPoint(record: Record<string, unknown>, value: unknown): Rejection | undefined {
  const point = typeof value === 'string' ? parsePoint(value) : toPoint(value)
  if (!point) {
    const kind = typeof value === 'object' && value !== null && 'type' in value ? `a ${value.type}` : 'its text'
    return {
      reason: 'unsupported_geometry',
      field: 'coordinates',
      detail: `Cannot determine a point from ${kind}. Points, lines, areas and "latitude, longitude" are supported.`,
    }
  }
  record.lon ??= point[0]
  record.lat ??= point[1]
  return undefined
}

const isCoordinatesObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'latitude' in value && 'longitude' in value

const pair = /^\s*[([]?\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*[)\]]?\s*$/
/** A pair with decimal commas, as spreadsheets in many countries write it. */
const commaPair = /^\s*[([]?\s*(-?\d+(?:,\d+)?)\s*(?:;|\s)\s*(-?\d+(?:,\d+)?)\s*[)\]]?\s*$/
const wellKnownPoint =
  /^\s*(?:SRID=\d+;)?\s*POINT\s*Z?\s*\(\s*(-?[\d.eE+-]+)\s+(-?[\d.eE+-]+)(?:\s+-?[\d.eE+-]+)?\s*\)\s*$/i

/** Parses `40.4, -3.7` (latitude first), `POINT(-3.7 40.4)` (longitude first), or a GeoJSON geometry. */
export function parsePoint(text: string): Position | undefined {
  const wellKnown = wellKnownPoint.exec(text)
  if (wellKnown) return [Number(wellKnown[1]), Number(wellKnown[2])]
  const numbers = pair.exec(text) ?? commaPair.exec(text)?.map(number => number.replace(',', '.'))
  if (numbers) return [Number(numbers[2]), Number(numbers[1])]
  return text.trimStart().startsWith('{') ? toPoint(parseJson(text)) : undefined
}

function parseJson(text: string): unknown {
  try {
    return parseLongJson(text)
  } catch {
    return undefined
  }
}
