import { type Html, html } from '../html.ts'

const styles = {
  minute: { dateStyle: 'medium', timeStyle: 'short', hour12: false },
  second: { dateStyle: 'medium', timeStyle: 'medium', hour12: false },
  day: { dateStyle: 'medium' },
  // Without the year, for lists of recent times.
  recent: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(style: keyof typeof styles, zone: string): Intl.DateTimeFormat {
  const name = `${style} ${zone}`
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...styles[style], timeZone: zone })
  formats.set(name, known)
  return known
}

/** Returns a time in a zone, with UTC as its title. `precision` defaults to the minute. */
export function time(ms: number, zone: string, precision: keyof typeof styles = 'minute'): Html {
  const utc = new Date(ms).toISOString()
  return html`<time datetime="${utc}" title="${utc}">${formatOf(precision, zone).format(ms)}</time>`
}

/** Returns the day of the latest use, such as `2026-11-03` in UTC; "Never" without one. */
export const dayText = (day: string | undefined): Html =>
  day === undefined ? html`<span class="quiet">Never</span>` : time(Date.parse(day), 'UTC', 'day')

/** Returns the distance between two times as text: "in 3 h 12 min", "2 days ago", "now". */
export function distance(ms: number, nowMs: number): string {
  const text = formatDuration(Math.abs(ms - nowMs))
  if (text === '0 s') return 'now'
  return ms > nowMs ? `in ${text}` : `${text} ago`
}

/** Returns the distance between two times, with the time itself in UTC as its title. */
export function timeDistance(ms: number, nowMs: number): Html {
  const utc = new Date(ms).toISOString()
  return html`<time datetime="${utc}" title="${utc}" class="distance">${distance(ms, nowMs)}</time>`
}

const units = [
  { ms: 86_400_000, one: 'day', many: 'days' },
  { ms: 3_600_000, one: 'h', many: 'h' },
  { ms: 60_000, one: 'min', many: 'min' },
  { ms: 1000, one: 's', many: 's' },
] as const

/** Returns a duration in its two largest units, rounded up to the second: "3 h 12 min", "14 days", "45 s". */
export function formatDuration(ms: number): string {
  const whole = Math.ceil(ms / 1000) * 1000
  const first = units.findIndex(unit => whole >= unit.ms)
  if (first === -1) return '0 s'
  const [large, small] = [units[first]!, units[first + 1]]
  const count = Math.floor(whole / large.ms)
  const rest = small && count < 10 ? Math.floor((whole % large.ms) / small.ms) : 0
  const text = (n: number, { one, many }: { readonly one: string; readonly many: string }) =>
    `${n} ${n === 1 ? one : many}`
  return rest > 0 && small ? `${text(count, large)} ${text(rest, small)}` : text(count, large)
}

const dateFormats = {
  short: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

/**
 * Returns a calendar date such as `2026-11-03`, or a month such as `2026-11`, as text: "3 Nov", "Tue, 3 Nov 2026",
 * "November 2026".
 */
export const calendarDate = (date: string, form: keyof typeof dateFormats): string =>
  dateFormats[form].format(Date.parse(date.length === 7 ? `${date}-01` : date))
