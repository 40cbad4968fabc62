import type { Location } from '../../../domain/location.ts'
import { type DayOfWeek, daysOfWeek, type OpeningHours } from '../../../domain/opening-hours.ts'
import { toUtcDay, toWallClock } from '../../../kit/time.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { calendarDate } from '../../../web/parts/time.ts'
import type { PlacePages } from './parts.ts'

const dayNames: Readonly<Record<DayOfWeek, string>> = {
  MONDAY: 'Monday',
  TUESDAY: 'Tuesday',
  WEDNESDAY: 'Wednesday',
  THURSDAY: 'Thursday',
  FRIDAY: 'Friday',
  SATURDAY: 'Saturday',
  SUNDAY: 'Sunday',
}

interface HoursSpan {
  readonly opens?: string
  readonly closes?: string
}

const spanText = ({ opens, closes }: HoursSpan): string => (opens === undefined ? 'Closed' : `${opens} to ${closes}`)

const todayMark = html` <span class="unseen">(today)</span>`

/** Returns the weekly opening hours of a place with its next special days; undefined if they are unknown. */
export function openingHours(location: Location, { zoneAt, clock }: PlacePages): Html | undefined {
  const { openingHours, timezone, coordinates } = location
  if (!openingHours) return undefined
  const { periods = [], formatted = [] } = openingHours
  if (periods.length === 0 && !openingHours.specialDays?.length)
    return formatted.length === 0 ? undefined : html`<h2>Hours</h2>\n${formatted.map(line => html`<p>${line}</p>\n`)}`
  const zone = openingHours.timezone ?? timezone ?? zoneAt(coordinates.latitude, coordinates.longitude)
  const now = toWallClock(clock.nowMs(), zone)
  // 1970-01-01 was a Thursday.
  const today = now && daysOfWeek[(now.day + 3) % 7]
  const row = (name: string, spans: readonly HoursSpan[], isToday = false) => {
    const head = html`<th scope="row">${name}${isToday && todayMark}</th>`
    const times = spans.length === 0 ? 'Closed' : spans.map(spanText).join(', ')
    return html`<tr${attribute('class', isToday && 'today')}>${head}<td>${times}</td></tr>\n`
  }
  return html`<h2>Hours</h2>
<table class="hours"><caption class="unseen">Weekly hours</caption><tbody>
${daysOfWeek.map(day =>
  row(
    dayNames[day],
    periods.filter(({ dayOfWeek }) => dayOfWeek === day),
    day === today,
  ),
)}</tbody>
${specialRows(openingHours, clock.nowMs(), row)}</table>
<p class="small quiet">Local time (${zone}).</p>
`
}

const maxSpecialDays = 6

/** Returns the rows of the next special days. */
function specialRows(
  { specialDays = [] }: OpeningHours,
  nowMs: number,
  row: (name: string, spans: readonly HoursSpan[]) => Html,
): Html | false {
  const today = toUtcDay(nowMs)
  const next = [...Map.groupBy(specialDays, ({ date }) => date)].filter(([date]) => date >= today).sort()
  const rows = next.slice(0, maxSpecialDays).map(([date, spans]) => row(calendarDate(date, 'day'), spans))
  return (
    rows.length > 0 &&
    html`<tbody><tr><th scope="rowgroup" colspan="2" class="special">Special days</th></tr>\n${rows}</tbody>`
  )
}
