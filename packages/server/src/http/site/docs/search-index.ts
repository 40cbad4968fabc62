import { faults } from '../../../domain/fault.ts'
import { linkTo } from '../../../web/site.ts'
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

/** Lists what the search of the documentation finds: pages, operations, parameters and errors. */
export function createSearchIndex({ groups, folder, site }: VersionReference): readonly SearchEntry[] {
  const operations = groups.flatMap(group => group.operations)
  const hrefOf = (id: string) => linkTo(site, operationPath(folder, id))
  return [
    ...guides.links.map(({ label, path }) => ({ title: label, of: 'Page', href: linkTo(site, path), words: '' })),
    ...operations.map(({ id, summary, path, description }) => ({
      title: summary,
      of: `GET ${path}`,
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
    ...Object.entries(faults).map(([code, { status, text }]) => ({
      title: code,
      of: `Error ${status}`,
      href: `${linkTo(site, '/docs/errors')}#${code}`,
      words: text,
    })),
  ]
}
