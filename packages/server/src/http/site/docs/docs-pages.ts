import { readFileSync } from 'node:fs'
import { bundledFile } from '../../../kit/bundled.ts'
import type { Clock } from '../../../kit/clock.ts'
import { getDefaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'
import { findDocument, getFeedDocument } from '../../openapi/served-documents.ts'
import type { WebDocument } from '../../wire/http-response.ts'
import { RenderedBody } from '../../wire/rendered.ts'
import { type SitePage, toPageDocument } from '../page.ts'
import { changeFeed } from './change-feed.ts'
import { changelogPage } from './changelog-page.ts'
import { type AdminError, errorsPage } from './errors-page.ts'
import { licencesPage } from './licences-page.ts'
import { type DocumentedLimits, limitsPage } from './limits-page.ts'
import { markdownPage } from './markdown-page.ts'
import { operationPage } from './operation-page.ts'
import { overviewPage } from './overview-page.ts'
import { type ReferenceSettings, readReference, type VersionReference } from './reference.ts'
import { createSearchIndex } from './search-index.ts'
import { sunsetCalendar } from './sunset-calendar.ts'
import { versionsPage } from './versions-page.ts'

/** Settings that the documentation shows. */
export interface DocsSettings extends ReferenceSettings, DocumentedLimits {
  /** Errors of the admin API; empty without a management server. */
  readonly adminErrors: readonly AdminError[]
  /** Keys of a demo; false outside of demos. */
  readonly demo: object | false
}

/** The parts of the service that the documentation describes. */
export interface DocsParts {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly settings: DocsSettings
}

/**
 * Time for which a generated page is cached, in milliseconds. Pages show the lifecycle of versions, which changes over
 * time.
 */
const cacheMs = 60_000

/** Creates the pages for partners: OpenAPI documents, changelogs, API reference, guides and versions. */
export function createDocsPages(parts: DocsParts): SitePage[] {
  const { lifecycle, settings } = parts
  const { site } = settings
  const page = createCachedPages(parts.clock)
  const latest = (nowMs: number) => readReference(lifecycle, settings, nowMs)!
  const announcedMs = parts.clock.nowMs()
  const about = () => ({ publicUrl: settings.publicUrl, name: site.name, announcedMs })
  const guide = (name: string) => (_: string, nowMs: number) =>
    toPageDocument(
      markdownPage(readGuide(name), `/docs/${name === 'partner' ? 'guide' : name}`, latest(nowMs)),
      settings,
    )
  return [
    page('/openapi/*', (file, nowMs) => createOpenApiFile(parts, file, nowMs)),
    page('/openapi.json', (_, nowMs) =>
      createOpenApiFile(parts, `${getDefaultVersion(lifecycle, nowMs).name}.json`, nowMs),
    ),
    page('/changelog/*', (name, nowMs) => {
      const changes = changelogPage(name, parts, nowMs, latest(nowMs))
      return changes && toPageDocument(changes, settings)
    }),
    page('/changelog.atom', (_, nowMs) =>
      toTextDocument(changeFeed({ lifecycle, ...about() }, nowMs), 'application/atom+xml'),
    ),
    page('/docs/sunsets.ics', () => toTextDocument(sunsetCalendar(lifecycle, about()), 'text/calendar; charset=utf-8')),
    page('/docs', (_, nowMs) => toPageDocument(overviewPage(latest(nowMs)), settings)),
    page('/docs/*', (rest, nowMs) => findReferencePage(parts, rest, nowMs)),
    page('/docs/search.json', (_, nowMs) =>
      toTextDocument(JSON.stringify(createSearchIndex(latest(nowMs))), 'application/json'),
    ),
    page('/docs/guide', guide('partner')),
    page('/docs/feeds', guide('feeds')),
    page('/docs/webhooks', guide('webhooks')),
    page('/docs/limits', (_, nowMs) => toPageDocument(limitsPage(latest(nowMs), settings), settings)),
    page('/docs/errors', (_, nowMs) => toPageDocument(errorsPage(latest(nowMs), settings.adminErrors), settings)),
    page('/docs/licences', (_, nowMs) =>
      toPageDocument(licencesPage(settings.demo !== false, latest(nowMs)), settings),
    ),
    page('/docs/versions', (_, nowMs) => toPageDocument(versionsPage(lifecycle, nowMs, latest(nowMs)), settings)),
  ]
}

/** Returns a function that creates pages. It generates each address at most once a minute. */
function createCachedPages(clock: Clock) {
  const cache = new Map<string, { readonly document: WebDocument; readonly expiresMs: number }>()
  return (path: string, make: (rest: string, nowMs: number) => WebDocument | undefined): SitePage => ({
    path,
    get: ({ params: { '*': rest = '' } }) => {
      const nowMs = clock.nowMs()
      const name = `${path} ${rest.toLowerCase()}`
      const known = cache.get(name)
      if (known && nowMs < known.expiresMs && nowMs > known.expiresMs - cacheMs) return known.document
      const document = make(rest.toLowerCase(), nowMs)
      if (document) cache.set(name, { document, expiresMs: nowMs + cacheMs })
      return document
    },
  })
}

const readGuide = (name: string): string => readFileSync(bundledFile(`docs/guides/${name}.md`), 'utf8')

/** Returns the page for a path such as `searchlocations`, `v2/searchlocations` or `v2`. */
function findReferencePage({ lifecycle, settings }: DocsParts, rest: string, nowMs: number): WebDocument | undefined {
  const [, version, name] = /^(?:(v\d{1,4}|beta)(?:\/|$))?(\w*)\/?$/.exec(rest) ?? []
  const reference = readReference(lifecycle, settings, nowMs, version)
  if (!reference || name === undefined) return undefined
  if (name === '') return toPageDocument(overviewPage(reference), settings)
  const operation = findOperation(reference, name)
  return operation && toPageDocument(operationPage(operation, reference), settings)
}

const findOperation = ({ groups }: VersionReference, name: string) =>
  groups.flatMap(({ operations }) => operations).find(({ id }) => id.toLowerCase() === name)

/** Returns the OpenAPI document for a file name such as `v1.json` or `1.json`. */
function createOpenApiFile({ lifecycle, settings }: DocsParts, file: string, nowMs: number): WebDocument | undefined {
  const name = /^(.+)\.json$/.exec(file)?.[1]
  if (name === undefined) return undefined
  const document =
    name === 'feeds' ? getFeedDocument(lifecycle, settings, nowMs) : findDocument(lifecycle, settings, name, nowMs)
  return document && toTextDocument(JSON.stringify(document), 'application/json')
}

/** Returns a text that is not a page: JSON, a calendar, a feed. */
const toTextDocument = (text: string, type: string): WebDocument => ({
  headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' },
  rendered: new RenderedBody(Buffer.from(text)),
})
