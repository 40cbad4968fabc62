import { type Html, html } from '../html.ts'

/** Returns the query of a URL without empty parameters: `?key=a&by=day`, or `''`. */
export function toQuery(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}

/** Returns links to the first and the next page of a list; nothing if there is only one page. */
export const pager = (
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  next: string | undefined,
): Html | undefined => {
  const isFirst = query.after === undefined
  if (isFirst && next === undefined) return undefined
  const link = (after: string | undefined, label: string) =>
    html`<a class="button plain" href="${path}${toQuery({ ...query, after })}">${label}</a>`
  const first = !isFirst && link(undefined, 'First page')
  return html`<nav class="pager" aria-label="Pages">${first} ${next !== undefined && link(next, 'Next page')}</nav>
`
}
