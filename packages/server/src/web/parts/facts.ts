import { attribute, type Html, type HtmlValue, html } from '../html.ts'

/** A name with its value; facts without a value are left out. */
export type Fact = readonly [label: string, value: HtmlValue]

/** Returns facts as a list of names and values. */
export function facts(list: readonly Fact[]): Html {
  const present = list.filter(([, value]) => value !== undefined && value !== false)
  return html`<dl class="facts">
${present.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
`
}

/** A large figure. */
export interface Tile {
  readonly label: string
  readonly value: HtmlValue
  readonly note?: HtmlValue
  readonly href?: string
}

/** Returns large figures side by side. */
export const tiles = (list: readonly Tile[]): Html => html`<ul class="tiles">
${list.map(renderTile)}</ul>
`

function renderTile({ label, value, note, href }: Tile): Html {
  const title = href === undefined ? label : html`<a href="${href}">${label}</a>`
  const remark = note !== undefined && html`<p class="quiet">${note}</p>`
  return html`<li><p class="tile-label">${title}</p><p class="tile-value">${value}</p>${remark}</li>
`
}

/** Returns a part of a page on a surface of its own. `id` lets links reach it. */
export function card(
  title: HtmlValue,
  content: HtmlValue,
  { id, actions }: { readonly id?: string; readonly actions?: HtmlValue } = {},
): Html {
  const buttons = actions !== undefined && html`<div class="actions">${actions}</div>`
  return html`<section class="card"${attribute('id', id)}>
<div class="card-head"><h2>${title}</h2>${buttons}</div>
${content}</section>
`
}

/** Returns parts side by side where the window is wide enough. */
export const grid = (parts: HtmlValue): Html => html`<div class="grid">${parts}</div>
`
