import { type Html, html } from '../html.ts'

/** Returns a block of code. With the script samples.js it has a button that copies it. */
export function codeBlock(code: string, label?: string): Html {
  const caption = label !== undefined && html`<figcaption>${label}</figcaption>`
  return html`<figure class="code">${caption}<pre tabindex="0"><code>${code}</code></pre></figure>
`
}

/** Returns a path or the name of a field with the places where a line may end: after each separator. */
export const breakable = (text: string): Html =>
  html`${text.split(/(?<=[/._])/).map((part, i) => (i === 0 ? part : html`<wbr>${part}`))}`

/** Number of characters of a long value that a table shows. */
const shownLength = 12

/**
 * Returns the beginning of a long value in code, with the whole one as its title. With the script samples.js it has a
 * button that copies the whole value; `label` names the value.
 */
export const shortened = (value: string, label: string): Html => {
  const start = html`<code title="${value}">${value.slice(0, shownLength)}…</code>`
  return html`<span class="shortened" data-copy="${value}" data-label="${label}">${start}</span>`
}

/** A code sample in one language. */
export interface Sample {
  /** Name of the language as readers know it: curl, TypeScript. */
  readonly label: string
  readonly code: string
}

/** Returns samples as tabs; without the script samples.js all are shown. A choice applies to all groups of a page. */
export const samples = (list: readonly Sample[]): Html => html`<div class="samples">
${list.map(({ label, code }) => codeBlock(code, label))}</div>
`
