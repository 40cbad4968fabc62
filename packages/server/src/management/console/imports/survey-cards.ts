import { topLevelNames } from '../../../domain/category.ts'
import type { DriftCount, ImportSurvey } from '../../../domain/import-survey.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { mapView } from '../../../web/parts/map.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { table } from '../../../web/parts/table.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** Number of values that are shown; the file of the list has all. */
const shownValues = 12

/** Shows where the places of an import are, and what it changed by country and by category. */
export function surveyCards(survey: ImportSurvey | undefined, { site }: PageRequest): HtmlValue {
  if (!survey) return undefined
  const { drift, points } = survey
  const rejected = points.filter(point => point.rejected !== undefined)
  const accepted = points.filter(point => point.rejected === undefined)
  const at = (some: ImportSurvey['points']) => some.map(({ latitude, longitude }) => [latitude, longitude] as const)
  const others = rejected.length > 0 ? ` and ${formatCount(rejected.length, 'rejected row')}` : ''
  const text = `${formatCount(accepted.length, 'accepted row')}${others}`
  const pointsOf = [
    { tone: 'good', at: at(accepted) },
    { tone: 'bad', at: at(rejected) },
  ] as const
  return html`${card('Where the rows are', [
    html`<p>A sample:
${text}.</p>`,
    mapView({ label: `Map of ${text}`, points: pointsOf }, site),
  ])}
${driftCard('country', 'Countries', drift.countries, countryName)}
${driftCard('category', 'Categories', drift.categories, categoryName)}`
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code)
const categoryName = (code: string): string =>
  Object.entries(topLevelNames).find(([category]) => category === code)?.[1] ?? code

const driftCard = (
  name: string,
  title: string,
  counts: readonly DriftCount[],
  nameOf: (value: string) => string,
): Html =>
  card(title, [
    table<DriftCount>({
      caption: `Accepted places by ${name}`,
      columns: [
        {
          label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
          kind: 'name',
          cell: ({ value }) => (value === undefined ? 'Unknown' : nameOf(value)),
        },
        { label: 'Added', kind: 'number', cell: ({ added }) => formatNumber(added) },
        { label: 'Changed', kind: 'number', cell: ({ changed }) => formatNumber(changed) },
        { label: 'Unchanged', kind: 'number', cell: ({ unchanged }) => formatNumber(unchanged) },
      ],
      rows: counts.slice(0, shownValues),
    }),
    counts.length > shownValues &&
      html`<p class="quiet">${formatCount(counts.length - shownValues, 'more value')}: export the list to see them all.</p>`,
  ])
