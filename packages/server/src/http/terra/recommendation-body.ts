import type { IncomingHttpHeaders } from 'node:http'
import type { TopLevelCategory } from '../../domain/category.ts'
import { type Fault, type FieldError, fault, isFault } from '../../domain/fault.ts'
import { parseLongJson } from '../../kit/long-json.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import { checkMediaType } from '../partner/operations/read-records.ts'

type Fields = Readonly<Record<string, unknown>>

/** The rule of a member of the body. */
interface Rule {
  readonly isValid: (value: unknown) => boolean
  readonly expected: string
  readonly isRequired?: true
}

type Rules = Readonly<Record<string, Rule>>

/** Categories of this service by Terra's words. Experiences are attractions, because tours are. */
const categories: Readonly<Record<string, TopLevelCategory>> = {
  Accommodation: 'HOTEL',
  'Eat & Drink': 'RESTAURANT',
  Attraction: 'ATTRACTION',
  Experience: 'ATTRACTION',
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value)
const isListOf = (isItem: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem)

const bodyRules: Rules = {
  query: { isValid: isText, expected: 'a text', isRequired: true },
  geo: { isValid: isObject, expected: 'an object, which may be empty', isRequired: true },
  top_level_categories: {
    isValid: isListOf(value => typeof value === 'string' && Object.hasOwn(categories, value)),
    expected: `a list of ${Object.keys(categories).join(', ')}`,
  },
  limit: { isValid: isInteger, expected: 'a whole number' },
  exclude_location_ids: { isValid: isListOf(isInteger), expected: 'a list of ids' },
  response_preference: { isValid: value => value === 'quality' || value === 'speed', expected: 'quality or speed' },
}

const geoRules: Rules = {
  search_area: { isValid: isObject, expected: 'an object' },
  id: { isValid: isInteger, expected: 'an id' },
  name: { isValid: isText, expected: 'a text' },
}

const coordinate = { isValid: Number.isFinite, expected: 'a number', isRequired: true } as const
const areaRules: Rules = {
  centroid_latitude: coordinate,
  centroid_longitude: coordinate,
  search_radius_meters: coordinate,
}

/** Reads the body of Terra's recommendations as the parameters that the operation has. */
export function readRecommendationBody(body: Buffer, headers: IncomingHttpHeaders): RawQuery | Fault {
  const refused = checkMediaType(headers, 'query')
  if (refused) return refused
  const fields = parseObject(body)
  if (isFault(fields)) return fields
  const errors = findErrors(fields, bodyRules)
  if (isObject(fields.geo)) errors.push(...findErrors(fields.geo, geoRules, 'geo.'))
  if (isObject(fields.geo) && isObject(fields.geo.search_area))
    errors.push(...findErrors(fields.geo.search_area, areaRules, 'geo.search_area.'))
  return errors.length > 0
    ? fault('body_invalid', { detail: errors.map(({ message }) => message).join(' '), fieldErrors: errors })
    : toQuery(fields)
}

function parseObject(body: Buffer): Fields | Fault {
  try {
    const value = parseLongJson(body.toString())
    return isObject(value) ? value : fault('body_invalid', { detail: 'The body must be a JSON object.' })
  } catch {
    return fault('body_invalid', { detail: 'The body is not valid JSON.' })
  }
}

/** Returns the errors of an object: unknown members, missing ones and wrong values. */
function findErrors(fields: Fields, rules: Rules, prefix = ''): FieldError[] {
  const unknown = Object.keys(fields)
    .filter(name => !Object.hasOwn(rules, name))
    .slice(0, 10)
    .map(name => {
      const field = prefix + name.slice(0, 40)
      return { field, message: `${field} is not a member of the body.` }
    })
  const wrong = Object.entries(rules).flatMap(([name, { isValid, expected, isRequired }]) => {
    const field = prefix + name
    const value = fields[name]
    if (value === undefined) return isRequired ? [{ field, message: `${field} is required: ${expected}.` }] : []
    return isValid(value) ? [] : [{ field, message: `${field} must be ${expected}.` }]
  })
  return [...unknown, ...wrong]
}

/** Returns the parameters of a body without errors. */
function toQuery(fields: Fields): RawQuery {
  const { query, geo, top_level_categories: words, limit, exclude_location_ids: excluded } = fields
  return {
    query: query as string,
    ...toAreaQuery(geo as Fields),
    ...(words !== undefined && { category: (words as string[]).map(word => categories[word]!) }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(excluded !== undefined && { exclude_location_ids: (excluded as unknown[]).map(String) }),
  }
}

/** Returns the destination; of several forms, Terra uses the area, then the id, then the name. */
function toAreaQuery({ search_area: area, id, name }: Fields): RawQuery {
  if (isObject(area))
    return {
      lat: String(area.centroid_latitude),
      lon: String(area.centroid_longitude),
      radius: String((area.search_radius_meters as number) / 1000),
      unit: 'KM',
    }
  if (id !== undefined) return { geo_id: String(id) }
  return name === undefined ? {} : { geo_name: name as string }
}
