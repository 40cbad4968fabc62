import type { Key } from '../../domain/key.ts'
import { type Html, html } from '../../web/html.ts'
import { type Field, filterForm } from '../../web/parts/form.ts'
import { toQuery } from '../../web/parts/pager.ts'
import { sortParameter, type TableOrder } from '../../web/parts/sort-head.ts'
import { sortFields } from './sort.ts'
import { subjectFields } from './subject-fields.ts'
import { type ReadUsageFilter, type SeriesDimension, usageQuery } from './usage-filter.ts'

/** The state of the filter of the usage page, and its choices. */
export interface UsageFilterParts extends ReadUsageFilter {
  readonly shape: { readonly dimensions: readonly SeriesDimension[] }
  /** The days of the period. */
  readonly dates: readonly string[]
  /** The keys of the partner; undefined if the page is for all partners. */
  readonly keys: readonly Key[] | undefined
}

export const dimensionLabels: Readonly<Record<SeriesDimension, string>> = {
  operation: 'Operation',
  version: 'Version',
  status: 'Status',
  key: 'Key',
  partner: 'Partner',
}

/** Returns links to common periods that end today. */
export function periodPresets(order: TableOrder, { filter, dates }: UsageFilterParts): Html {
  const { from: _, to, ...rest } = usageQuery(filter)
  const days = [7, 30, 90, 365].map(n => ({
    label: `${n} days`,
    query: { ...rest, sort: sortParameter(order), days: String(n) },
    isChosen: dates.length === n,
  }))
  return html`<nav class="presets" aria-label="Period"><ul>
${days.map(
  ({ label, query, isChosen }) =>
    html`<li><a href="${order.path}${toQuery(query)}"${isChosen && html` aria-current="true"`}>${label}</a></li>\n`,
)}</ul></nav>
`
}

/** Returns the form that filters and groups usage. */
export function usageFilterForm(order: TableOrder, { filter, errors, keys, shape }: UsageFilterParts): Html {
  const fields: readonly Field[] = [
    ...sortFields(order),
    ...subjectFields(keys, { partner: filter.partnerId, key: filter.keyId }),
    { name: 'from', label: 'From', type: 'date', value: filter.from, error: errors.from },
    { name: 'to', label: 'To', type: 'date', value: filter.to, error: errors.to },
    {
      name: 'by',
      label: 'Group by',
      type: 'select',
      value: filter.by,
      choices: shape.dimensions.map(value => ({ value, label: dimensionLabels[value] })),
    },
    {
      name: 'show',
      label: 'Show',
      type: 'select',
      value: filter.show,
      choices: ['units', 'calls'].map(value => ({ value, label: value === 'units' ? 'Units' : 'Calls' })),
    },
    { name: 'tz', label: 'Time zone', value: filter.zone, required: false, error: errors.tz },
  ]
  const { partnerId, keyId, by } = filter
  const isSet = partnerId !== undefined || keyId !== undefined || by !== 'operation'
  return filterForm(order.path, 'Show', fields, isSet || Object.keys(errors).length > 0)
}
