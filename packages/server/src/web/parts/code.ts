import { type Html, html } from '../html.ts'

/** Returns a block of code. With the script copy.js it has a button that copies it. */
export function codeBlock(code: string, label?: string): Html {
  const caption = label !== undefined && html`<figcaption>${label}</figcaption>`
  return html`<figure class="code">${caption}<pre tabindex="0"><code>${code}</code></pre></figure>
`
}

/** Returns a path or the name of a field with the places where a line may end: after each separator. */
export const breakable = (text: string): Html =>
  html`${text.split(/(?<=[/._])/).map((part, i) => (i === 0 ? part : html`<wbr>${part}`))}`

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
