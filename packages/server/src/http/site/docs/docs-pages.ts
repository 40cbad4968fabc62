import { readFileSync } from 'node:fs'
import type { Id } from '../../../domain/id.ts'
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
import { createKeptValues, type ValueInputs } from './kept-values.ts'
import { licencesPage } from './licences-page.ts'
import { type DocumentedLimits, limitsPage } from './limits-page.ts'
import { markdownPage } from './markdown-page.ts'
import { operationPage } from './operation-page.ts'
import { overviewPage } from './overview-page.ts'
import {
  createReferenceReader,
  type ReferenceReader,
  type ReferenceSettings,
  type VersionReference,
} from './reference.ts'
import { createSearchIndex } from './search-index.ts'
import { sunsetCalendar } from './sunset-calendar.ts'
import { createVersionDifferences } from './version-differences.ts'
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
  /** Returns ids of places that exist, for samples; empty while they are unknown. */
  exampleIds(): Promise<readonly Id[]>
}

interface ReferenceParts extends DocsParts {
  readonly reference: ReferenceReader
}

/** Creates the pages for partners: OpenAPI documents, changelogs, API reference, guides and versions. */
export function createDocsPages(docs: DocsParts): SitePage[] {
  const { lifecycle, settings } = docs
  const parts = { ...docs, reference: createReferenceReader(lifecycle, settings) }
  const { site } = settings
  const page = createCachedPages(parts, parts.exampleIds)
  const file = createCachedPages(parts, async () => [])
  const compare = createVersionDifferences(lifecycle, settings)
  const announcedMs = parts.clock.nowMs()
  const about = () => ({ publicUrl: settings.publicUrl, name: site.name, announcedMs })
  const readGuide = (name: 'guide' | 'feeds' | 'webhooks', request: DocsRequest) => {
    const text = readFileSync(bundledFile(`docs/guides/${name === 'guide' ? 'partner' : name}.md`), 'utf8')
    return markdownPage(text, `/docs/${name}`, latest(parts, request))
  }
  const limits = (request: DocsRequest) => limitsPage(latest(parts, request), settings)
  const guide = (name: Parameters<typeof readGuide>[0]) =>
    page(`/docs/${name}`, request => toPageDocument(readGuide(name, request), settings))
  return [
    file('/openapi/*', ({ rest, nowMs }) => createOpenApiFile(parts, rest, nowMs)),
    file('/openapi.json', ({ nowMs }) =>
      createOpenApiFile(parts, `${getDefaultVersion(lifecycle, nowMs).name}.json`, nowMs),
    ),
    page('/changelog/*', request => {
      const changes = changelogPage(request.rest, { lifecycle, compare }, request.nowMs, latest(parts, request))
      return changes && toPageDocument(changes, settings)
    }),
    file('/changelog.atom', ({ nowMs }) =>
      toTextDocument(changeFeed({ lifecycle, ...about() }, nowMs), 'application/atom+xml'),
    ),
    file('/docs/sunsets.ics', () => toTextDocument(sunsetCalendar(lifecycle, about()), 'text/calendar; charset=utf-8')),
    page('/docs', request => toPageDocument(overviewPage(latest(parts, request)), settings)),
    page('/docs/*', request => findReferencePage(parts, request)),
    file('/docs/search.json', request => {
      const guides = (['guide', 'feeds', 'webhooks'] as const).map(name => readGuide(name, request))
      const entries = createSearchIndex(latest(parts, request), [...guides, limits(request)])
      return toTextDocument(JSON.stringify(entries), 'application/json')
    }),
    guide('guide'),
    guide('feeds'),
    guide('webhooks'),
    page('/docs/limits', request => toPageDocument(limits(request), settings)),
    page('/docs/errors', request => toPageDocument(errorsPage(latest(parts, request), settings.adminErrors), settings)),
    page('/docs/licences', request =>
      toPageDocument(licencesPage(settings.demo !== false, latest(parts, request)), settings),
    ),
    page('/docs/versions', request =>
      toPageDocument(versionsPage({ lifecycle, compare }, request.nowMs, latest(parts, request)), settings),
    ),
  ]
}

/** A request for a page of the documentation that is not cached. */
interface DocsRequest extends ValueInputs {
  /** The part of the path that matched `*`, in lower case. */
  readonly rest: string
}

/** Returns the reference of the latest stable version. */
const latest = ({ reference }: ReferenceParts, request: DocsRequest): VersionReference => reference(request)!

/** Returns a function that creates pages, and makes each again only when its contents change. */
function createCachedPages({ clock, lifecycle }: DocsParts, exampleIds: DocsParts['exampleIds']) {
  const documents = createKeptValues<WebDocument>(lifecycle)
  return (path: string, make: (request: DocsRequest) => WebDocument | undefined): SitePage => ({
    path,
    get: async ({ params: { '*': pathRest = '' } }) => {
      const rest = pathRest.toLowerCase()
      const request = { rest, nowMs: clock.nowMs(), placeIds: (await exampleIds()).map(String) }
      return documents(`${path} ${rest}`, request, () => make(request))
    },
  })
}

/** Returns the page for a path such as `searchlocations`, `v2/searchlocations` or `v2`. */
function findReferencePage(
  { settings, reference: read }: ReferenceParts,
  { rest, ...inputs }: DocsRequest,
): WebDocument | undefined {
  const [, version, operationName] = /^(?:(v\d{1,4}|beta)(?:\/|$))?(\w*)\/?$/.exec(rest) ?? []
  const reference = read(inputs, version)
  if (!reference || operationName === undefined) return undefined
  if (operationName === '') return toPageDocument(overviewPage(reference), settings)
  const operation = findOperation(reference, operationName)
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
