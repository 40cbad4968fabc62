import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { csvText } from '../../resources/csv.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { buttonLink } from '../../web/parts/link.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { toQuery } from '../../web/parts/pager.ts'
import type { ListFile } from '../../web/parts/same.ts'
import type { DownloadAnswer, PageRequest } from '../pages/page-route.ts'

/** Maximum number of rows of an exported list. */
export const maxExportedRows = 10_000
/** Size above which no further rows are added to an exported list, in characters of JSON. */
const maxExportedChars = 16_777_216

/** A page of a list whose rows may be large. */
interface RowPage<Cursor> {
  readonly rows: readonly object[]
  readonly next?: Cursor | undefined
}

/** The rows of an exported list. */
interface ExportedRows {
  readonly rows: readonly object[]
  /** True if the list has more rows than a file may have. */
  readonly isCut: boolean
}

/** Reads a list page by page, until it ends or the file is as large as it may be. */
export async function collectRows<Cursor>(
  readPage: (after: Cursor | undefined) => Promise<RowPage<Cursor> | AdminFault>,
): Promise<ExportedRows | AdminFault> {
  const collected: object[] = []
  let chars = 0
  let after: Cursor | undefined
  do {
    const page = await readPage(after)
    if (isAdminFault(page)) return page
    collected.push(...page.rows)
    chars += JSON.stringify(page.rows).length
    after = page.next
  } while (after !== undefined && collected.length < maxExportedRows && chars < maxExportedChars)
  return { rows: collected.slice(0, maxExportedRows), isCut: after !== undefined || collected.length > maxExportedRows }
}

/** Returns the rows of a file from a list that was read with one row more than a file may have. */
export const boundRows = (rows: readonly object[]): ExportedRows => ({
  rows: rows.slice(0, maxExportedRows),
  isCut: rows.length > maxExportedRows,
})

/** Returns the export format that the URL of a page asks for; undefined for the page itself. */
export const exportFormat = ({ query }: Pick<PageRequest, 'query'>): 'csv' | 'json' | undefined =>
  query.format === 'csv' || query.format === 'json' ? query.format : undefined

/** Returns lines of cells as a CSV file; the first line has the names of the columns. */
export const csvFile = (name: string, lines: Parameters<typeof csvText>[0], isCut = false): DownloadAnswer => ({
  fileName: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  body: csvText(lines),
  isCut,
})

/** Returns rows as a JSON file; an incomplete list is the member `data` of an object that says so. */
export const jsonRows = (name: string, rows: readonly object[], isCut = false): DownloadAnswer => ({
  ...jsonFile(name, isCut ? { truncated: true, data: rows } : rows),
  isCut,
})

/** Returns a value as a JSON file. */
export const jsonFile = (name: string, value: unknown): DownloadAnswer => ({
  fileName: `${name}.json`,
  type: 'application/json',
  body: `${JSON.stringify(value, undefined, 2)}\n`,
})

/** Returns rows as a file. In CSV, members that are objects are JSON. */
export function exportRows(
  name: string,
  format: 'csv' | 'json',
  rows: readonly object[],
  isCut = false,
): DownloadAnswer {
  if (format === 'json') return jsonRows(name, rows, isCut)
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = rows.map(row => {
    const values = new Map<string, unknown>(Object.entries(row))
    return columns.map(column => toCell(values.get(column)))
  })
  return csvFile(name, [columns, ...lines], isCut)
}

function toCell(value: unknown): string | number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return value
  return JSON.stringify(value)
}

type Filters = Readonly<Record<string, string | undefined>>

/** Returns the links that export a list with its filters. */
export const exportLinks = (path: string, filters: Filters): Html =>
  html`${buttonLink(path + toQuery({ ...filters, format: 'csv' }), 'Export CSV')} ${buttonLink(
    path + toQuery({ ...filters, format: 'json' }),
    'JSON',
  )} `

/** Lists of a page that has several: for each its name in words, and its rows as they are exported. */
export type PageLists = Readonly<Record<string, readonly [words: string, rows: () => readonly object[]]>>

/** Returns the list that the parameter `list` names as a file; without it the first list. */
export function exportList(
  lists: PageLists,
  format: 'csv' | 'json',
  { query }: Pick<PageRequest, 'query'>,
): DownloadAnswer {
  const name = Object.keys(lists).find(one => one === query.list) ?? Object.keys(lists)[0]!
  return exportRows(name, format, lists[name]![1]())
}

/** Returns the files of a page with several lists. */
export const listFiles = (path: string, lists: PageLists, filters: Filters = {}): readonly ListFile[] =>
  Object.entries(lists).map(([list, [label]]) => ({
    label,
    csv: path + toQuery({ ...filters, list, format: 'csv' }),
    json: path + toQuery({ ...filters, list, format: 'json' }),
  }))

/** Returns the sentence about the bounds of a file, for a list with more than one page. */
export const exportBounds = (next: unknown): HtmlValue =>
  next !== undefined &&
  next !== null &&
  html`<p class="quiet small">An exported file has at most ${formatNumber(maxExportedRows)} rows and 16 MB, and says if it was
cut. Use filters to export the rest.</p>`
