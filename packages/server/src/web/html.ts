/** A complete page, and the Content-Security-Policy that permits what it contains. */
export interface RenderedPage {
  readonly text: string
  readonly policy: string
}

/** Markup that is safe to insert into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value of a template: text is escaped, markup is inserted, `undefined` and `false` are empty. */
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that are escaped. Most texts have none. */
const special = /[&<>"']/

/** Makes markup from a template. Every value is escaped, unless it is markup. Attribute values must be in quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0]!
  for (const [i, value] of values.entries()) text += render(value) + parts[i + 1]!
  return new Html(text)
}

/**
 * Returns an attribute with a space before it: ` name="value"`, ` name` for `true`, nothing for `undefined` and
 * `false`.
 */
export function attribute(name: string, value: string | boolean | undefined): Html | undefined {
  if (value === undefined || value === false) return undefined
  return value === true ? html` ${name}` : html` ${name}="${value}"`
}

/** Returns a value as JSON for a script element of type application/json. */
export const embedJson = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  const text = String(value)
  return special.test(text) ? text.replaceAll(/[&<>"']/g, character => entities[character]!) : text
}
