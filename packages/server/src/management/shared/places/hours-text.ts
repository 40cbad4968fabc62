import { type DayOfWeek, daysOfWeek, type OpeningHours } from '../../../domain/opening-hours.ts'

const dayNames: Readonly<Record<DayOfWeek, string>> = {
  MONDAY: 'Mo',
  TUESDAY: 'Tu',
  WEDNESDAY: 'We',
  THURSDAY: 'Th',
  FRIDAY: 'Fr',
  SATURDAY: 'Sa',
  SUNDAY: 'Su',
}
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Returns opening hours in OpenStreetMap's syntax: `Mo-Fr 09:00-18:00; Sa 10:00-14:00; 2026 Dec 25 off`. Hours that
 * only the source's text describes are that text.
 */
export const formatHours = (hours: OpeningHours): string => [...weeklyRules(hours), ...specialRules(hours)].join('; ')

/** Returns the rules for days of the week. */
export function weeklyRules({ periods = [], specialDays = [], formatted = [] }: OpeningHours): readonly string[] {
  if (periods.length === 0 && specialDays.length === 0) return formatted
  const week = daysOfWeek.map(day =>
    spansOf(periods.filter(({ dayOfWeek }) => dayOfWeek === day).map(({ opens, closes }) => ({ opens, closes }))),
  )
  return groupDays(week).map(({ first, last, spans }) => `${nameDays(first, last)} ${spans}`)
}

/** Returns the rules for single dates. */
export const specialRules = ({ specialDays = [] }: OpeningHours): readonly string[] =>
  [...Map.groupBy(specialDays, ({ date }) => date)].map(
    ([date, days]) => `${formatDate(date)} ${spansOf(days) || 'off'}`,
  )

const spansOf = (spans: readonly { readonly opens?: string; readonly closes?: string }[]): string =>
  spans
    .filter(({ opens }) => opens !== undefined)
    .map(({ opens, closes }) => `${opens}-${closes}`)
    .join(',')

interface DayGroup {
  readonly first: number
  last: number
  readonly spans: string
}

/** Joins consecutive days with the same hours; closed days are left out. */
function groupDays(week: readonly string[]): readonly DayGroup[] {
  const groups: DayGroup[] = []
  for (const [day, spans] of week.entries()) {
    const previous = groups.at(-1)
    if (spans === '') continue
    if (previous?.spans === spans && previous.last === day - 1) previous.last = day
    else groups.push({ first: day, last: day, spans })
  }
  return groups
}

const nameDays = (first: number, last: number): string =>
  first === last
    ? dayNames[daysOfWeek[first]!]
    : `${dayNames[daysOfWeek[first]!]}${last === first + 1 ? ',' : '-'}${dayNames[daysOfWeek[last]!]}`

const formatDate = (date: string): string => {
  const [year, month, day] = date.split('-')
  return `${year} ${months[Number(month) - 1]} ${day}`
}
