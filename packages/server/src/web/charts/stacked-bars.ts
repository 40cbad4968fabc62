import { type Html, html } from '../html.ts'
import { formatCompact, formatNumber } from '../parts/number.ts'
import { axisMarks } from './scale.ts'
import { type Series, sumOf } from './series.ts'

/** A chart of stacked bars. */
export interface StackedBars {
  /** Names the chart: "Units per day". */
  readonly title: string
  readonly unit: string
  /** One label for each bar: "3 Nov". */
  readonly labels: readonly string[]
  /** From the bottom to the top of the bars. */
  readonly series: readonly Series[]
}

/** Width of the place of a bar, and height of the chart, in units of the drawing, which stretches to its frame. */
const placeWidth = 10
const height = 100
/** Number of bars from which their details are left out. */
const maxDetailed = 100

/** Returns a chart as SVG. Its figures must be in a table of the same page. */
export function stackedBars({ title, unit, labels, series }: StackedBars): Html {
  const totals = labels.map((_, i) => sumOf(series.map(({ values }) => values[i]!)))
  const marks = axisMarks(Math.max(...totals))
  const scale = height / marks.at(-1)!
  const width = labels.length * placeWidth
  const hoverAreas = labels.map((label, i) => hoverArea(i, describeBar(label, i, totals[i]!, { series, unit, labels })))
  return html`<figure class="chart">
<div class="chart-marks" aria-hidden="true">${marks.toReversed().map(formatCompact).map(span)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img"
aria-label="${describe({ title, unit, labels, series }, totals)}">
<path class="chart-grid" d="${marks.map(mark => `M0 ${round(height - mark * scale)}h${width}`).join('')}"/>
${drawSeries(series, labels.length, scale)}${hoverAreas}</svg>
<div class="chart-labels" aria-hidden="true">${edgeLabels(labels).map(span)}</div>
</figure>
`
}

const span = (text: string): Html => html`<span>${text}</span>`

/** Draws each series as one path, so that a year of days stays small. */
function drawSeries(series: readonly Series[], places: number, scale: number): readonly Html[] {
  const barWidth = places <= 8 ? 5 : places <= 45 ? 7.6 : 8.8
  const bases = Array.from({ length: places }, () => 0)
  return series.map(({ hue, values }) => {
    const bars = values.map((value, i) => {
      if (value === 0) return ''
      const bar = value * scale
      bases[i]! += bar
      const x = i * placeWidth + (placeWidth - barWidth) / 2
      return `M${round(x)} ${round(height - bases[i]!)}h${barWidth}v${round(bar)}h-${barWidth}z`
    })
    return html`<path class="hue-${hue}" d="${bars.join('')}"/>\n`
  })
}

const hoverArea = (i: number, text: string): Html =>
  html`<rect class="chart-place" x="${i * placeWidth}" width="${placeWidth}"
height="${height}"><title>${text}</title></rect>\n`

function describeBar(
  label: string,
  i: number,
  total: number,
  { series, unit, labels }: Pick<StackedBars, 'series' | 'unit' | 'labels'>,
): string {
  const head = `${label}: ${formatNumber(total)} ${unit}`
  if (series.length < 2 || labels.length > maxDetailed) return head
  const parts = series.filter(({ values }) => values[i]! > 0).toReversed()
  return [head, ...parts.map(one => `${one.label}: ${formatNumber(one.values[i]!)}`)].join('\n')
}

function describe({ title, unit, labels }: StackedBars, totals: readonly number[]): string {
  const most = Math.max(...totals)
  const peak = most === 0 ? '' : `, at most ${formatNumber(most)} on ${labels[totals.indexOf(most)]}`
  return `${title}, ${labels[0]} to ${labels.at(-1)}: ${formatNumber(sumOf(totals))} ${unit} in total${peak}. The table has all figures.`
}

const edgeLabels = (labels: readonly string[]): readonly string[] =>
  labels.length < 3 ? labels : [labels[0]!, labels[Math.floor((labels.length - 1) / 2)]!, labels.at(-1)!]

const round = (value: number): number => Math.round(value * 100) / 100
