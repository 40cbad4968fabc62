import { type TopLevelCategory, topLevelCategories } from '../../domain/category.ts'
import { isOpenAt } from '../../domain/encoded-hours.ts'
import { priceLevels } from '../../domain/location.ts'
import type { Filters } from '../../domain/search.ts'
import { toWallClock, type WallClock } from '../../kit/time.ts'
import type { Budget } from '../index/budget.ts'
import { type Segment, statusCode } from '../index/segment.ts'
import { type LabelSets, labelSetsBelow, labelSetsWithAll } from './label-sets.ts'

/** Test for documents of one segment. */
export type Test = (doc: number) => boolean

/** Steps of the conversion of a time to the wall clock of a time zone. */
const stepsPerZone = 300

/** Compiles filters into one test for the documents of a segment; undefined if every document passes. */
export function compileFilters(segment: Segment, filters: Filters, budget: Budget): Test | undefined {
  const { arrays, facts } = segment
  const tests: Test[] = []
  const oneOf = (column: ArrayLike<number>, values: readonly number[]) => {
    const wanted = new Uint8Array(Math.max(0, ...values) + 1)
    for (const value of values) if (value >= 0) wanted[value] = 1
    tests.push(doc => wanted[column[doc]!] === 1)
  }
  const ofCategory = (values: readonly TopLevelCategory[]) =>
    oneOf(
      arrays.category,
      values.map(category => topLevelCategories.indexOf(category)),
    )
  const inCountries = (codes: readonly string[]) =>
    oneOf(
      arrays.country,
      codes.map(code => facts.countries.indexOf(code) + 1).filter(country => country > 0),
    )

  const withLabels = (sets: LabelSets) => tests.push(doc => sets.has(arrays.labels[doc]!))

  const { scope, countryCode, categories, categoryIds, attributes, statuses, minRating, priceLevels: prices } = filters
  if (countryCode !== undefined) inCountries([countryCode.toUpperCase()])
  if (categories?.length) ofCategory(categories)
  if (categoryIds?.length) withLabels(labelSetsBelow(segment, categoryIds, budget))
  if (attributes?.length) withLabels(labelSetsWithAll(segment, attributes, budget))
  if (statuses?.length)
    oneOf(
      arrays.status,
      statuses.map(status => statusCode[status]),
    )
  if (prices?.length)
    oneOf(
      arrays.price,
      prices.map(level => priceLevels.indexOf(level) + 1),
    )
  if (minRating !== undefined) {
    const least = Math.max(1, Math.round(minRating * 100))
    tests.push(doc => arrays.rating[doc]! >= least)
  }
  if (scope?.countries) inCountries(scope.countries)
  if (scope?.categories) ofCategory(scope.categories)
  if (scope?.sources)
    oneOf(
      arrays.source,
      scope.sources.map(source => facts.sources.indexOf(source)),
    )
  const { openAtMs, openAtLocal } = filters
  if (openAtMs !== undefined) tests.push(openTest(segment, zone => toWallClock(openAtMs, zone), budget))
  if (openAtLocal !== undefined) tests.push(openTest(segment, () => openAtLocal, budget))
  return allOf(tests)
}

/** Combines tests with AND; undefined if all of them are undefined. */
export function allOf(tests: readonly (Test | undefined)[]): Test | undefined {
  let all: Test | undefined
  for (const test of tests) {
    const before = all
    if (before === undefined || test === undefined) all = before ?? test
    else all = doc => before(doc) && test(doc)
  }
  return all
}

/**
 * Returns a test for documents that are open at a time, which `clockIn` returns for a time zone; documents with unknown
 * opening hours do not pass.
 */
export function openTest(
  { arrays, facts }: Segment,
  clockIn: (zone: string) => WallClock | undefined,
  budget: Budget,
): Test {
  const clocks = new Map<number, WallClock | undefined>()
  return doc => {
    const at = arrays.hours[doc]!
    if (at === 0) return false
    const zone = arrays.hoursData[at]!
    budget.spend(2)
    if (!clocks.has(zone)) {
      budget.spend(stepsPerZone)
      clocks.set(zone, clockIn(facts.zones[zone]!))
    }
    const clock = clocks.get(zone)
    const length = arrays.hoursData[at + 1]!
    return clock !== undefined && isOpenAt(arrays.hoursData.subarray(at + 2, at + 2 + length), clock)
  }
}
