import { attribute, type Html, type HtmlValue, html } from '../html.ts'
import { sortHead, type TableOrder } from './sort-head.ts'

/** A column of a table. */
export interface Column<T> {
  readonly label: string
  readonly cell: (row: T) => HtmlValue
  /** `number` is aligned to the right; `name` heads its row; `actions` holds buttons and shows no label. */
  readonly kind?: 'text' | 'number' | 'name' | 'actions'
  /**
   * Place of the cell on narrow windows in a table of brief rows: in the first or second line, or at its end. In such a
   * table, cells without a place are not shown there.
   */
  readonly brief?: 'first' | 'first-end' | 'second' | 'second-end'
  /** Name of the order by this column, where the reader can choose one. */
  readonly sort?: string
}

/** The parts of a table. */
export interface Table<T> {
  /** Names the table for screen readers; shown if `showsCaption` is true. */
  readonly caption: string
  readonly showsCaption?: boolean
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  /** Shown in place of the table if there are no rows. */
  readonly empty?: HtmlValue
  /** Sums, one cell per column. */
  readonly foot?: readonly HtmlValue[]
  /** The order of the rows; the heads of columns with `sort` are links to other orders. */
  readonly order?: TableOrder | undefined
}

/** Most columns of a table of numbers that a narrow window has room for. */
const maxFigures = 4

/**
 * Returns a table. On narrow windows each row becomes a card with the labels of its columns; in a table of brief rows
 * two lines without labels. A table of few numbers stays as it is.
 */
export function table<T>({ caption, showsCaption, columns, rows, empty, foot, order }: Table<T>): HtmlValue {
  if (rows.length === 0 && empty !== undefined) return empty
  return html`<div class="table ${narrowForm(columns)}" role="region" aria-label="${caption}" tabindex="0"><table>
<caption${attribute('class', !showsCaption && 'unseen')}>${caption}</caption>
<thead><tr>${columns.map(column => headCell(column, order))}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${columns.map(column => bodyCell(column, row))}</tr>\n`)}</tbody>
${foot && html`<tfoot><tr>${foot.map((cell, i) => footCell(columns[i]!, cell))}</tr></tfoot>`}
</table></div>
`
}

function narrowForm(columns: readonly Column<never>[]): string {
  if (columns.some(({ brief }) => brief !== undefined)) return 'cards brief'
  const isFigures = columns.length <= maxFigures && columns.slice(1).every(({ kind }) => kind === 'number')
  return isFigures ? 'figures' : 'cards'
}

function headCell<T>({ label, kind, sort }: Column<T>, order: TableOrder | undefined): Html {
  if (order && sort !== undefined) return sortHead(label, { kind, by: sort, order })
  const content = kind === 'actions' ? html`<span class="unseen">${label}</span>` : label
  return html`<th scope="col"${attribute('class', kind)}>${content}</th>`
}

function bodyCell<T>({ label, kind, brief, cell }: Column<T>, row: T): Html {
  const place = attribute('data-brief', brief)
  if (kind === 'name') return html`<th scope="row" class="name"${place}>${cell(row)}</th>`
  return html`<td${attribute('class', kind)} data-label="${label}"${place}>${cell(row)}</td>`
}

const footCell = <T>({ label, kind }: Column<T>, cell: HtmlValue): Html =>
  kind === 'name'
    ? html`<th scope="row" class="name">${cell}</th>`
    : html`<td${attribute('class', kind)} data-label="${label}">${cell}</td>`
