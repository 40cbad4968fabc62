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

/** Makes markup from a template. Every value is escaped, unless it is markup. Attribute values must be in quotes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.map((part, i) => part + (i < values.length ? render(values[i]) : '')).join(''))

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
  return String(value).replaceAll(/[&<>"']/g, character => entities[character]!)
}
