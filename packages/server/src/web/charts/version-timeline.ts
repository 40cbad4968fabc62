import type { LifecycleTimes } from '../../domain/lifecycle.ts'
import { dayMs } from '../../kit/time.ts'
import { type Html, type HtmlValue, html } from '../html.ts'

const width = 720
const labelWidth = 80
const barHeight = 18
const rowHeight = 34
/** Height of the line below a bar. */
const noteHeight = 14

/** A version with its dates, in milliseconds since 1970. */
export interface TimelineVersion extends LifecycleTimes {
  readonly name: string
  /** Missing if the date is unknown: the bar then begins at the left edge. */
  readonly releasedMs?: number
  /** True if the version is retired, whatever its dates. */
  readonly isRetired: boolean
  /** Line below the bar: who uses the version. */
  readonly note?: string | undefined
}

/**
 * Returns a drawing of the time in which each version is served and deprecated; undefined if no version has a date. A
 * table on the same page has the same dates.
 */
export function versionTimeline(
  versions: readonly TimelineVersion[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): Html | undefined {
  const dates = versions
    .flatMap(({ releasedMs, deprecatedMs, sunsetMs }) => [releasedMs, deprecatedMs, sunsetMs])
    .filter(ms => ms !== undefined)
  if (dates.length === 0) return undefined
  const margin = 180 * dayMs
  const [from, to] = [Math.min(...dates, nowMs) - margin, Math.max(...dates, nowMs) + margin]
  const x = (ms: number) => Math.round(labelWidth + ((ms - from) / (to - from)) * (width - labelWidth))
  const step = rowHeight + (versions.some(({ note }) => note !== undefined) ? noteHeight : 0)
  const height = versions.length * step + 24
  return html`<div class="timeline" role="group" aria-label="Timeline of versions" tabindex="0">
<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">
${years(from, to, zone).map(
  ({ ms, label }) => html`<line class="grid-line" x1="${x(ms)}" x2="${x(ms)}" y1="0" y2="${height - 20}"/>
<text class="axis" x="${x(ms)}" y="${height - 6}" text-anchor="middle">${label}</text>\n`,
)}
${versions.map((version, i) => bars(version, { y: i * step + 8, x, nowMs, to }))}
<line class="now" x1="${x(nowMs)}" x2="${x(nowMs)}" y1="0" y2="${height - 20}"/>
</svg>
<p class="legend"><span class="served">served</span> <span class="deprecated">deprecated</span>
<span class="retired">retired</span> <span class="today">today</span></p></div>
`
}

interface BarPlace {
  readonly y: number
  readonly x: (ms: number) => number
  readonly nowMs: number
  readonly to: number
}

/** Returns the bars of one version. */
function bars({ name, note, isRetired, ...dates }: TimelineVersion, { y, x, nowMs, to }: BarPlace): HtmlValue {
  const { releasedMs, deprecatedMs, sunsetMs } = dates
  const retired = sunsetMs ?? (isRetired ? nowMs : undefined)
  const bar = (kind: string, fromX: number, toX: number) =>
    toX > fromX &&
    html`<rect class="${kind}" x="${fromX}" y="${y}" width="${toX - fromX}" height="${barHeight}" rx="4"/>`
  const servedTo = x(deprecatedMs ?? retired ?? to)
  return [
    html`<text x="0" y="${y + 14}">${name === 'beta' ? 'beta' : `Version ${name}`}</text>`,
    bar('served', releasedMs === undefined ? labelWidth : x(releasedMs), servedTo),
    deprecatedMs !== undefined && bar('deprecated', servedTo, x(retired ?? to)),
    retired !== undefined && bar('retired', x(retired), x(to)),
    note !== undefined && html`<text class="note" x="${labelWidth}" y="${y + barHeight + noteHeight}">${note}</text>`,
  ]
}

/** Lists the beginnings of years within a time. */
function years(from: number, to: number, zone: string): { readonly ms: number; readonly label: string }[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).year + 1
  const list = []
  for (let year = first; ; year++) {
    const ms = Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone: zone }).epochMilliseconds
    if (ms > to) return list
    list.push({ ms, label: String(year) })
  }
}
