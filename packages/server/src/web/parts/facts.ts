import { type Html, type HtmlValue, html } from '../html.ts'

/** A name with its value; facts without a value are left out. */
export type Fact = readonly [label: string, value: HtmlValue]

/** Returns facts as a list of names and values. */
export const facts = (list: readonly Fact[]): Html => html`<dl class="facts">
${list.filter(([, value]) => value !== undefined && value !== false).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
`

/** A large figure. */
export interface Tile {
  readonly label: string
  readonly value: HtmlValue
  readonly note?: HtmlValue
  readonly href?: string
}

/** Returns large figures side by side. */
export const tiles = (list: readonly Tile[]): Html => html`<ul class="tiles">
${list.map(({ label, value, note, href }) => html`<li><p class="tile-label">${href === undefined ? label : html`<a href="${href}">${label}</a>`}</p><p class="tile-value">${value}</p>${note !== undefined && html`<p class="quiet">${note}</p>`}</li>\n`)}</ul>
`

/** Returns a part of a page on a surface of its own. `id` lets links reach it. */
export const card = (
  title: HtmlValue,
  content: HtmlValue,
  more: { readonly id?: string; readonly actions?: HtmlValue } = {},
): Html => html`<section class="card"${more.id !== undefined && html` id="${more.id}"`}>
<div class="card-head"><h2>${title}</h2>${more.actions !== undefined && html`<div class="actions">${more.actions}</div>`}</div>
${content}</section>
`
