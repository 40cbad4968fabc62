import { csvText } from '../../resources/csv.ts'
import { type Html, html } from '../../web/html.ts'
import { toQuery } from '../../web/parts/pager.ts'
import type { Download, PageRequest } from '../pages/page-route.ts'

/** Maximum number of rows of an exported list. */
export const maxExportedRows = 10_000

/** The format in which a page is exported, from its URL; undefined for the page itself. */
export const exportFormat = ({ query }: Pick<PageRequest, 'query'>): 'csv' | 'json' | undefined =>
  query.format === 'csv' || query.format === 'json' ? query.format : undefined

/** Returns rows as a file. In CSV, members that are objects are JSON. */
export function exportRows(name: string, format: 'csv' | 'json', rows: readonly object[]): Download {
  if (format === 'json')
    return { fileName: `${name}.json`, type: 'application/json', body: `${JSON.stringify(rows, undefined, 2)}\n` }
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = rows.map(row => {
    const values = new Map<string, unknown>(Object.entries(row))
    return columns.map(column => toCell(values.get(column)))
  })
  return { fileName: `${name}.csv`, type: 'text/csv; charset=utf-8', body: csvText([columns, ...lines]) }
}

function toCell(value: unknown): string | number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return value
  return JSON.stringify(value)
}

/** Returns the links that export a list with its filters. */
export const exportLinks = (path: string, filters: Readonly<Record<string, string | undefined>>): Html =>
  html`${(['csv', 'json'] as const).map(format => html`<a class="button" href="${path}${toQuery({ ...filters, format })}">${format.toUpperCase()}</a> `)}`
