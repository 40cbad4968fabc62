import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import { dayMs } from '../../kit/time.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { versionTitle } from '../parts/version-badge.ts'

/** Time before the first and after the last date. */
const marginMs = 180 * dayMs
/** Years are labelled at most so often. */
const maxYears = 6

/** A version with its dates, in milliseconds since 1970. */
export interface TimelineVersion extends LifecycleTimes {
  readonly name: string
  /** Missing if the date is unknown: the bar then begins at the left edge. */
  readonly releasedMs?: number
  /** True if the version is retired, whatever its dates. */
  readonly isRetired: boolean
  /** Line below the name: who uses the version. */
  readonly note?: string | undefined
}

/**
 * Returns a drawing of the time in which each version is served and deprecated; undefined if no version has a date. It
 * is as wide as the page, because all places are percentages. A table on the same page has the same dates.
 */
export function versionTimeline(
  versions: readonly TimelineVersion[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): Html | undefined {
  const dates = versions
    .flatMap(({ releasedMs, deprecatedMs, sunsetMs }) => [releasedMs, deprecatedMs, sunsetMs])
    .filter(ms => ms !== undefined)
  if (dates.length === 0) return undefined
  const [from, to] = [Math.min(...dates, nowMs) - marginMs, Math.max(...dates, nowMs) + marginMs]
  const span: Span = { to, nowMs, x: ms => Math.round(((ms - from) / (to - from)) * 10_000) / 100 }
  const years = listYears(from, to, zone)
  const line = (kind: string, ms: number) =>
    html`<line class="${kind}" x1="${span.x(ms)}%" x2="${span.x(ms)}%" y1="0" y2="100%"/>`
  const label = ({ ms, label: year }: Year) =>
    html`<text class="axis" x="${span.x(ms)}%" y="14" text-anchor="middle">${year}</text>`
  return html`<div class="timeline" role="group" aria-label="Timeline of versions">
<div class="timeline-rows">
<svg class="timeline-lines" aria-hidden="true">${years.map(({ ms }) => line('grid-line', ms))}</svg>
${versions.map(version => row(version, span))}
<svg class="timeline-lines" aria-hidden="true">${line('now', nowMs)}</svg></div>
<svg class="timeline-years" aria-hidden="true">${years.map(label)}</svg>
<p class="legend"><span class="served">served</span> <span class="deprecated">deprecated</span>
<span class="retired">retired</span> <span class="today">today</span></p></div>
`
}

/** The time that a timeline shows. */
interface Span {
  readonly nowMs: number
  readonly to: number
  /** Returns the place of a time in percent of the width. */
  readonly x: (ms: number) => number
}

/** Returns the name of a version with the bars of its states. */
function row({ name, note, isRetired, ...dates }: TimelineVersion, { nowMs, to, x }: Span): HtmlValue {
  const { releasedMs, deprecatedMs, sunsetMs } = dates
  const retired = sunsetMs ?? (isRetired ? nowMs : undefined)
  const bar = (kind: string, fromX: number, toX: number) =>
    toX > fromX &&
    html`<rect class="${kind}" x="${fromX}%" width="${Math.round((toX - fromX) * 100) / 100}%" height="100%" rx="4"/>`
  const servedTo = x(deprecatedMs ?? retired ?? to)
  const remark = note !== undefined && html` <span class="quiet small">${note}</span>`
  return html`<p>${versionTitle(name)}${remark}</p>
<svg class="timeline-bar" aria-hidden="true">${bar('served', releasedMs === undefined ? 0 : x(releasedMs), servedTo)}${
    deprecatedMs !== undefined && bar('deprecated', servedTo, x(retired ?? to))
  }${retired !== undefined && bar('retired', x(retired), x(to))}</svg>
`
}

interface Year {
  readonly ms: number
  readonly label: string
}

/** Lists the beginnings of years within a time, so many that their labels have space on a phone. */
function listYears(from: number, to: number, zone: string): readonly Year[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).year + 1
  const list: Year[] = []
  for (let year = first; ; year++) {
    const ms = Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone: zone }).epochMilliseconds
    if (ms > to) break
    list.push({ ms, label: String(year) })
  }
  const step = Math.ceil(list.length / maxYears)
  return list.filter((_, i) => i % step === 0)
}
