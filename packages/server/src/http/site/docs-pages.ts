import { existsSync, readFileSync } from 'node:fs'
import { bundledFile } from '../../kit/bundled.ts'
import type { Clock } from '../../kit/clock.ts'
import { getDefaultVersion, type Lifecycle } from '../../versions/lifecycle.ts'
import type { Site } from '../../web/site.ts'
import { linkTo } from '../../web/site.ts'
import type { DocumentSettings } from '../openapi/parts.ts'
import { findDocument, getFeedDocument, listServedDocuments } from '../openapi/served-documents.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { errorsPage } from './errors-page.ts'
import { licencesPage } from './licences-page.ts'
import { toMarkdownPage } from './markdown-page.ts'
import { type Page, toPageDocument } from './page.ts'
import { loadReferenceFile, referencePolicy, renderReferencePage } from './reference-page.ts'
import { toVersionsPage } from './versions-page.ts'

/** The parts of the service that the documentation describes. */
export interface DocsParts {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly settings: DocumentSettings & { readonly site: Site; readonly demo: object | false }
}

/** Time for which a generated page is cached, in milliseconds. Pages show the lifecycle of versions, which changes over time. */
const cacheMs = 60_000

/** Creates the pages for partners: OpenAPI documents, changelogs, API reference, guides and versions. */
export function createDocsPages(parts: DocsParts): Page[] {
  const { lifecycle, clock, settings } = parts
  const { site } = settings
  const cache = new Map<string, { readonly document: WebDocument | undefined; readonly expiresMs: number }>()
  const page = (path: string, make: (rest: string, nowMs: number) => WebDocument | undefined): Page => ({
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
  return [
    page('/openapi/*', (file, nowMs) => createOpenApiFile(parts, file, nowMs)),
    page('/openapi.json', (_, nowMs) =>
      createOpenApiFile(parts, `${getDefaultVersion(lifecycle, nowMs).name}.json`, nowMs),
    ),
    page('/changelog/*', name => {
      const text = readChangelog(name)
      return text === undefined ? undefined : toPageDocument(toMarkdownPage(text, `/changelog/${name}`), site)
    }),
    page('/docs', (_, nowMs) => {
      const latest = getDefaultVersion(lifecycle, nowMs)
      const entries = listServedDocuments(lifecycle, nowMs)
      // The page initially shows the first document, which must be the latest stable version (SPEC §9.4).
      const sorted = [
        ...entries.filter(({ entry }) => entry === latest),
        ...entries.filter(({ entry }) => entry !== latest),
      ]
      const choices = sorted.map(({ name, entry }) => ({
        name: entry === latest ? `${name} (latest)` : `${name} (${entry.status})`,
        url: linkTo(site, `/openapi/${name}.json`),
      }))
      const feeds = { name: 'feeds', url: linkTo(site, '/openapi/feeds.json') }
      return toReferenceDocument(renderReferencePage(site, [...choices, feeds], settings.publicUrl))
    }),
    page('/docs/files/*', file => loadReferenceFile(file)),
    page('/docs/errors', () => toPageDocument(errorsPage, site)),
    page('/docs/guide', () => renderGuide('partner', '/docs/guide', site)),
    page('/docs/feeds', () => renderGuide('feeds', '/docs/feeds', site)),
    page('/docs/licences', () => toPageDocument(licencesPage(settings.demo !== false), site)),
    page('/docs/versions', (_, nowMs) => toPageDocument(toVersionsPage(lifecycle, nowMs, site), site)),
  ]
}

const renderGuide = (name: string, path: string, site: Site): WebDocument =>
  toPageDocument(toMarkdownPage(readFileSync(bundledFile(`docs/guides/${name}.md`), 'utf8'), path), site)

const toReferenceDocument = (text: string): WebDocument => ({
  headers: {
    ...{ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' },
    'Content-Security-Policy': referencePolicy,
  },
  rendered: new RenderedBody(Buffer.from(text)),
})

/** Returns the OpenAPI document for a file name such as `v1.json` or `1.json`. */
function createOpenApiFile({ lifecycle, settings }: DocsParts, file: string, nowMs: number): WebDocument | undefined {
  const name = /^(.+)\.json$/.exec(file)?.[1]
  if (name === undefined) return undefined
  const document =
    name === 'feeds' ? getFeedDocument(lifecycle, settings, nowMs) : findDocument(lifecycle, settings, name, nowMs)
  return document && toJsonDocument(document)
}

const toJsonDocument = (document: object): WebDocument => ({
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' },
  rendered: new RenderedBody(Buffer.from(JSON.stringify(document))),
})

/** Returns the changelog of a version, even of a retired or deleted one. */
function readChangelog(name: string): string | undefined {
  const file = /^(?:v?\d{1,4}|beta)$/.test(name) ? name.replace(/^(?=\d)/, 'v') : undefined
  const folder = bundledFile('contract/partner')
  const path = `${folder}/CHANGELOG-${file}.md`
  return file !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
