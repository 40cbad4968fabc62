import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import type OpeningHoursText from 'opening_hours'
import type { nominatim_object } from 'opening_hours'
import { daysOfWeek, type Period, type SpecialDay } from '../domain/opening-hours.ts'
import { dayMs } from '../kit/time.ts'

const require = createRequire(import.meta.url)

/** Returns the parser. It is loaded at the first call, because it takes 30 ms and most processes parse no hours. */
const loadParser = (): typeof OpeningHoursText => require('opening_hours')

/** Parsed opening hours: weekly periods, and days that differ from them. */
export interface ParsedHours {
  readonly periods: readonly Period[]
  readonly specialDays?: readonly SpecialDay[]
}

/** Maximum number of cached texts. Measured: the library takes 0.25 ms to parse one. */
const cachedTexts = 20_000
const cache = new LRUCache<string, { readonly hours: ParsedHours | undefined }>({ max: cachedTexts })

/**
 * Parses opening hours in OpenStreetMap's syntax (wiki.openstreetmap.org/wiki/Key:opening_hours). Returns undefined for
 * other text, and for hours that weekly periods and special days cannot represent: seasons, sunrise, "by appointment".
 * Public holidays of `country` and yearly dates become special days in `year` and the next year.
 */
export function parseOsmHours(text: string, country: string | undefined, year: number): ParsedHours | undefined {
  const key = `${country ?? ''} ${year} ${text}`
  const cached = cache.get(key)
  if (cached) return cached.hours
  const hours = parse(text.trim(), country, year)
  cache.set(key, { hours })
  return hours
}

/** Matches a rule for days of the year: `Dec 25 off`, `Dec 24-26 10:00-14:00`, `2026 Jan 01,2026 May 01 closed`. */
const monthPattern = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const datePattern = `(?:(\\d{4}) )?${monthPattern} \\d{1,2}(?:-(?:(?:\\d{4} )?${monthPattern} )?\\d{1,2})?`
const dateRule = new RegExp(`^${datePattern}(?:, ?${datePattern})*:? (?:off|closed|\\d)`, 'i')

function parse(text: string, country: string | undefined, year: number): ParsedHours | undefined {
  if (text.length > 1000 || !isPlausible(text)) return undefined
  const rules = text.split(/\s*;\s*/).filter(rule => rule !== '')
  const weekly = rules.filter(rule => !isDateRule(rule) && !/^PH\b/.test(rule)).map(stripHolidays)
  const week = read(weekly.join('; '))
  if (!week?.isWeekStable()) return undefined
  const periods = toPeriods(week)
  if (!periods || periods.length === 0) return undefined
  const special = findSpecialDays(text, rules, periods, country, year)
  return special.length > 0 ? { periods, specialDays: special } : { periods }
}

const isDateRule = (rule: string): boolean => dateRule.test(rule)

/** `Su,PH off` -> `Su off`. */
const stripHolidays = (rule: string): string =>
  rule.replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\s*,\s*PH\b/g, '$1').replace(/\bPH\s*,\s*(?=Mo|Tu|We|Th|Fr|Sa|Su)/g, '')

/** Words of the syntax, and English words that the library accepts. It misinterprets words of other languages. */
const vocabulary = new Set(
  (
    'mo tu we th fr sa su mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday ' +
    'sunday daily am pm to and h jan feb mar apr may jun jul aug sep oct nov dec ph sh week easter off closed open unknown'
  ).split(' '),
)

/** Returns true for a text with a digit whose words are all in the vocabulary; the library cannot parse others. */
const isPlausible = (text: string): boolean =>
  /\d/.test(text) &&
  (text.replace(/"[^"]*"/g, '').match(/\p{L}+/gu) ?? []).every(word => vocabulary.has(word.toLowerCase()))

type Hours = InstanceType<typeof OpeningHoursText>

const quiet = { mode: 0, locale: 'en', tag_key: undefined, map_value: undefined, warnings_severity: 4 } as const

function read(text: string, place: nominatim_object | null = null): Hours | undefined {
  try {
    const Parser = loadParser()
    return new Parser(text, place, quiet)
  } catch {
    return undefined
  }
}

type Interval = [from: Date, to: Date, unknown: boolean, comment: string | undefined]

/** A Monday. The library computes in the zone of the process, and no zone has a clock change in this week. */
const monday = [2024, 0, 15] as const

function toPeriods(hours: Hours): Period[] | undefined {
  const [year, month, day] = monday
  // Include one more day on either side, because the library cuts intervals at the ends of the range.
  const days = openSpans(hours, new Date(year, month, day - 1), 9)
  return days
    ?.slice(1, 8)
    .flatMap((spans, i) => spans.map(([opens, closes]) => ({ dayOfWeek: daysOfWeek[i]!, opens, closes })))
}

type Span = readonly [opens: string, closes: string]

/** Returns the spans that start on each of `count` days; undefined if an interval is neither open nor closed. */
function openSpans(hours: Hours, first: Date, count: number): Span[][] | undefined {
  const end = new Date(first.getFullYear(), first.getMonth(), first.getDate() + count)
  const intervals = hours.getOpenIntervals(first, end) as Interval[]
  if (intervals.some(([, , unknown]) => unknown)) return undefined
  const days: Span[][] = Array.from({ length: count }, () => [])
  for (const [from, to] of intervals) {
    for (const [start, end] of splitAtMidnight(from, to)) {
      const day = Math.round((midnight(start).getTime() - first.getTime()) / dayMs)
      days[day]?.push([formatTime(start), formatTime(end)])
    }
  }
  return days
}

/** Splits an interval of more than a day at midnight. Shorter ones that continue past midnight are not split. */
function* splitAtMidnight(from: Date, to: Date): Generator<[Date, Date]> {
  let start = from
  while (to.getTime() - start.getTime() > 86_400_000 || isSecondDay(start, to)) {
    const next = midnight(start, 1)
    yield [start, next]
    start = next
  }
  if (start < to) yield [start, to]
}

/** Returns true if the closing time on the second day could be mistaken for a time on the first. */
const isSecondDay = (from: Date, to: Date): boolean => to > midnight(from, 1) && formatTime(to) > formatTime(from)

const midnight = (at: Date, days = 0): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
const twoDigits = (number: number): string => String(number).padStart(2, '0')
const formatTime = (at: Date): string => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
const formatDate = (at: Date): string =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`

/** Returns the days on which the hours of the full text differ from the weekly periods. */
function findSpecialDays(
  text: string,
  rules: readonly string[],
  periods: readonly Period[],
  country: string | undefined,
  year: number,
): SpecialDay[] {
  const namesHolidays = /\bPH\b/.test(text)
  const holidays = namesHolidays && country !== undefined ? findHolidays(country, year) : []
  const dates = rules.filter(isDateRule).flatMap(rule => findDates(rule, year))
  if (holidays.length === 0 && dates.length === 0) return []
  // Without a country the library assumes German holidays, so omit rules for holidays.
  const hours =
    holidays.length > 0
      ? read(text, toPlace(country!))
      : read(
          rules
            .filter(rule => !/^PH\b/.test(rule))
            .map(stripHolidays)
            .join('; '),
        )
  if (!hours) return []
  return [...new Set([...holidays, ...dates])].sort().flatMap(day => findSpecialHours(day, hours, periods))
}

/** Returns the hours of one day; an empty list if they are equal to the weekly periods. */
function findSpecialHours(date: string, hours: Hours, periods: readonly Period[]): SpecialDay[] {
  const at = new Date(`${date}T00:00:00`)
  const spans = openSpans(hours, midnight(at, -1), 3)?.[1]
  if (!spans) return []
  const usual = periods.filter(({ dayOfWeek }) => dayOfWeek === daysOfWeek[(at.getDay() + 6) % 7])
  const isUsual =
    usual.length === spans.length &&
    usual.every(({ opens, closes }, i) => opens === spans[i]![0] && closes === spans[i]![1])
  if (isUsual) return []
  return spans.length === 0 ? [{ date }] : spans.map(([opens, closes]) => ({ date, opens, closes }))
}

/** Returns the days that a rule for dates covers, in `year` and the next, or in the years in the rule. */
function findDates(rule: string, year: number): string[] {
  const days = /^(.*?):? (?:off|closed|\d{1,2}:)/i.exec(rule)?.[1]
  const named = [...rule.matchAll(/\b(?:19|20)\d{2}\b/g)].map(match => Number(match[0]))
  const from = Math.min(year, ...named)
  const to = Math.max(year + 1, ...named)
  const hours = days === undefined || to - from > 5 ? undefined : read(days)
  return hours ? openDays(hours, from, to) : []
}

const holidays = new Map<string, string[]>()

/** Returns the nationwide public holidays of a country; an empty list if the library does not know the country. */
function findHolidays(country: string, year: number): string[] {
  const key = `${country} ${year}`
  const cached = holidays.get(key)
  if (cached) return cached
  // The library reports unknown countries to the console.
  const { error } = console
  console.error = () => {}
  try {
    const hours = read('PH', toPlace(country))
    holidays.set(key, hours ? openDays(hours, year, year + 1) : [])
  } catch {
    holidays.set(key, [])
  } finally {
    console.error = error
  }
  return holidays.get(key)!
}

const toPlace = (country: string): nominatim_object => ({
  lat: 0,
  lon: 0,
  address: { country_code: country.toLowerCase(), state: '' },
})

function openDays(hours: Hours, from: number, to: number): string[] {
  const intervals = hours.getOpenIntervals(new Date(from, 0, 1), new Date(to + 1, 0, 1)) as Interval[]
  const days: string[] = []
  for (const [start, end] of intervals) {
    for (let day = midnight(start); day < end; day = midnight(day, 1)) days.push(formatDate(day))
  }
  return days
}
