import { type TopLevelCategory, topLevelCategories } from '../../../domain/category.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import { type PriceLevel, priceLevels } from '../../../domain/location.ts'
import type { Box, Point } from '../../../domain/search.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { createParameterReader } from './url-parameters.ts'

/** Places on a page of results. */
export const pageSize = 20
/** Pages that can be opened: results are ranked up to 10,000. */
const maxPage = 500
const maxTextLength = 500

/** The state of the page of places, as its URL has it. */
export interface PlacesState {
  readonly text: string
  readonly categories: readonly TopLevelCategory[]
  readonly isOpenNow: boolean
  readonly minRating?: number
  readonly priceLevels: readonly PriceLevel[]
  readonly near?: Point
  readonly box?: Box
  /** The place that is shown in the panel. */
  readonly id?: Id
  readonly page: number
  /** Names of parameters whose values were not understood. */
  readonly ignored: readonly string[]
}

/** Reads the parameters of the page of places. Wrong values are left out, and their parameters are listed. */
export function readPlacesQuery(parameters: URLSearchParams): PlacesState {
  const ignored: string[] = []
  const read = createParameterReader(parameters, ignored)
  // A repeated parameter is a list, as forms send several checked boxes.
  const readAll = <T extends string>(name: string, values: readonly T[]): readonly T[] => {
    const given = parameters.getAll(name).flatMap(value => value.split(','))
    const wanted = given.map(value => value.trim().toUpperCase()).filter(value => value !== '')
    const known = values.filter(value => wanted.includes(value))
    if (new Set(wanted).size > known.length) ignored.push(name)
    return known
  }
  const text = read('q', value => (value.length <= maxTextLength ? value : undefined)) ?? ''
  const [minRating, near, box, id] = [
    read('min_rating', value => toNumber(value, 1, 5)),
    read('near', toPoint),
    read('box', toBox),
    read('id', parseId),
  ]
  return {
    text,
    categories: readAll('category', topLevelCategories),
    isOpenNow: read('open', value => (value === 'now' ? true : undefined)) ?? false,
    priceLevels: readAll('price', priceLevels),
    page: read('page', value => (/^\d{1,3}$/.test(value) ? toNumber(value, 1, maxPage) : undefined)) ?? 1,
    ...(minRating !== undefined && { minRating }),
    ...(near && { near }),
    ...(box && { box }),
    ...(id !== undefined && { id }),
    ignored,
  }
}

function toNumber(text: string, min: number, max: number): number | undefined {
  const value = /^-?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function toPoint(text: string): Point | undefined {
  const [first = '', second = '', ...rest] = text.split(',')
  const latitude = toNumber(first.trim(), -90, 90)
  const longitude = toNumber(second.trim(), -180, 180)
  return latitude === undefined || longitude === undefined || rest.length > 0 ? undefined : { latitude, longitude }
}

function toBox(text: string): Box | undefined {
  const values = text.split(',')
  const southWest = toPoint(values.slice(0, 2).join())
  const northEast = toPoint(values.slice(2).join())
  if (!southWest || !northEast || southWest.latitude > northEast.latitude) return undefined
  return { south: southWest.latitude, west: southWest.longitude, north: northEast.latitude, east: northEast.longitude }
}

/** Returns the query string of a state; parameters that have their default are left out. */
export const placesSearch = (query: PlacesState): string =>
  toQuery({
    q: query.text,
    category: query.categories.map(value => value.toLowerCase()).join(),
    open: query.isOpenNow ? 'now' : undefined,
    min_rating: query.minRating,
    price: query.priceLevels.map(value => value.toLowerCase()).join(),
    near: query.near && `${query.near.latitude},${query.near.longitude}`,
    box: query.box && boxText(query.box),
    id: query.id?.toString(),
    page: query.page > 1 ? query.page : undefined,
  }).replaceAll('%2C', ',')

const boxText = ({ south, west, north, east }: Box): string => [south, west, north, east].join()

/** Returns a state without its place, on its first page, with some changes; `undefined` removes a member. */
export function changeQuery(query: PlacesState, change: { [K in keyof PlacesState]?: PlacesState[K] | undefined }) {
  const changed = { ...query, page: 1, id: undefined, ...change }
  return Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined),
  ) as unknown as PlacesState
}

/** Returns true if the state has a filter in addition to its text and area. */
export const hasFilters = ({ categories, isOpenNow, minRating, priceLevels: prices }: PlacesState): boolean =>
  categories.length > 0 || isOpenNow || minRating !== undefined || prices.length > 0
