import { faults } from '../../../domain/fault.ts'
import { html } from '../../../web/html.ts'
import type { LayoutPage } from '../../../web/layout.ts'
import { linkTo, type Site } from '../../../web/site.ts'
import { guides, operationPath } from './docs-nav.ts'
import type { VersionReference } from './reference.ts'

/** A page or a part of one that the search of the documentation finds. */
export interface SearchEntry {
  readonly title: string
  /** Kind of the entry, or the page that it is part of. */
  readonly of: string
  readonly href: string
  /** Further words that find it. */
  readonly words: string
}

/** Maximum number of characters of a section that are searched. */
const maxWords = 600

/**
 * Lists what the search of the documentation finds: pages and their sections, operations, parameters, headers and
 * errors.
 */
export function createSearchIndex(
  { groups, folder, site, headers }: VersionReference,
  pages: readonly LayoutPage[],
): readonly SearchEntry[] {
  const operations = groups.flatMap(group => group.operations)
  const hrefOf = (id: string) => linkTo(site, operationPath(folder, id))
  return [
    ...guides.links.map(({ label, path }) => ({ title: label, of: 'Page', href: linkTo(site, path), words: '' })),
    ...operations.map(({ id, summary, method, path, description }) => ({
      title: summary,
      of: `${method} ${path}`,
      href: hrefOf(id),
      words: `${id} ${description}`,
    })),
    ...operations.flatMap(({ id, summary, parameters }) =>
      parameters.map(({ name, description }) => ({
        title: name,
        of: `Parameter of ${summary}`,
        href: `${hrefOf(id)}#parameter-${name}`,
        words: description,
      })),
    ),
    ...Object.entries(headers).map(([name, { description }]) => ({
      title: name,
      of: 'Header of responses',
      href: `${linkTo(site, '/docs')}#headers`,
      words: description,
    })),
    ...pages.flatMap(page => sectionsOf(page, site)),
    ...Object.entries(faults).map(([code, { status, text, title }]) => ({
      title: code,
      of: `Error ${status}`,
      href: `${linkTo(site, '/docs/errors')}#${code}`,
      words: `${text} ${title}`,
    })),
  ]
}

/** Returns the sections of a page: each heading of the second level, and the text below it. */
function sectionsOf({ title, path, content }: LayoutPage, site: Site): SearchEntry[] {
  const { text } = html`${content}`
  return text.split(/(?=<h2 id=")/).flatMap(section => {
    const [head, id, heading] = /^<h2 id="([^"]+)"[^>]*>(.*?)<\/h2>/s.exec(section) ?? []
    if (head === undefined) return []
    const prose = section.slice(head.length).replaceAll(/<figure.*?<\/figure>/gs, ' ')
    return [{ title: toText(heading!), of: title, href: `${linkTo(site, path)}#${id}`, words: toText(prose) }]
  })
}

/** Returns the beginning of the text of HTML, without elements. */
const toText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:quot|#39|lt|gt);/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxWords)
