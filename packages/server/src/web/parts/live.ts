import { type Html, type HtmlValue, html } from '../html.ts'

/** Returns a part of a page that the script live.js replaces while the page is open. */
export const livePart = (name: string, content: HtmlValue): Html => html`<div data-live="${name}">${content}</div>
`
