import { attribute, type Html, type HtmlValue, html } from '../html.ts'

/** A column of a table. */
export interface Column<T> {
  readonly label: string
  readonly cell: (row: T) => HtmlValue
  /** `number` is aligned to the right; `name` heads its row; `actions` holds buttons and shows no label. */
  readonly kind?: 'text' | 'number' | 'name' | 'actions'
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
}

/** Returns a table. On narrow windows each row becomes a card with the labels of its columns. */
export function table<T>({ caption, showsCaption, columns, rows, empty, foot }: Table<T>): HtmlValue {
  if (rows.length === 0 && empty !== undefined) return empty
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption${attribute('class', !showsCaption && 'unseen')}>${caption}</caption>
<thead><tr>${columns.map(headCell)}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${columns.map(column => bodyCell(column, row))}</tr>\n`)}</tbody>
${foot && html`<tfoot><tr>${foot.map((cell, i) => footCell(columns[i]!, cell))}</tr></tfoot>`}
</table></div>
`
}

function headCell<T>({ label, kind }: Column<T>): Html {
  const content = kind === 'actions' ? html`<span class="unseen">${label}</span>` : label
  return html`<th scope="col"${attribute('class', kind)}>${content}</th>`
}

function bodyCell<T>({ label, kind, cell }: Column<T>, row: T): Html {
  if (kind === 'name') return html`<th scope="row" class="name">${cell(row)}</th>`
  return html`<td${attribute('class', kind)} data-label="${label}">${cell(row)}</td>`
}

const footCell = <T>({ label, kind }: Column<T>, cell: HtmlValue): Html =>
  html`<td${attribute('class', kind)} data-label="${label}">${cell}</td>`
