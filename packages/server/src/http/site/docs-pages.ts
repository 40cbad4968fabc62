import { existsSync, readFileSync } from 'node:fs'
import { bundledFile } from '../../kit/bundled.ts'
import type { Clock } from '../../kit/clock.ts'
import { getDefaultVersion, type Lifecycle } from '../../versions/lifecycle.ts'
import type { DocumentSettings } from '../openapi/parts.ts'
import { findDocument, getFeedDocument, listServedDocuments } from '../openapi/served-documents.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { renderMarkdownPage } from './markdown-page.ts'
import { type Page, toHtmlDocument } from './page.ts'
import { loadReferenceFile, referencePolicy, renderReferencePage } from './reference-page.ts'
import { renderVersionsPage } from './versions-page.ts'

/** The parts of the service that the documentation describes. */
export interface DocsParts {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly settings: DocumentSettings
}

/** Time for which a generated page is cached, in milliseconds. Pages show the lifecycle of versions, which changes over time. */
const cacheMs = 60_000

/** Creates the pages for partners: OpenAPI documents, changelogs, API reference, guides and versions. */
export function createDocsPages(site: DocsParts): Page[] {
  const { lifecycle, clock, settings } = site
  const root = () => `${new URL(settings.publicUrl).pathname.replace(/\/$/, '')}/`
  const cache = new Map<string, { readonly document: WebDocument | undefined; readonly expiresMs: number }>()
  const page = (path: string, make: (rest: string, nowMs: number) => WebDocument | undefined): Page => ({
    path,
    get: rest => {
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
    page('/openapi/*', (file, nowMs) => createOpenApiFile(site, file, nowMs)),
    page('/openapi.json', (_, nowMs) =>
      createOpenApiFile(site, `${getDefaultVersion(lifecycle, nowMs).name}.json`, nowMs),
    ),
    page('/changelog/*', name => {
      const text = readChangelog(name)
      return text === undefined ? undefined : toHtmlDocument(renderMarkdownPage(text, root()))
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
        url: `${root()}openapi/${name}.json`,
      }))
      const feeds = { name: 'feeds', url: `${root()}openapi/feeds.json` }
      return toHtmlDocument(renderReferencePage(root(), [...choices, feeds], settings.publicUrl), referencePolicy)
    }),
    page('/docs/files/*', loadReferenceFile),
    page('/docs/guide', () => renderGuide('partner', root())),
    page('/docs/feeds', () => renderGuide('feeds', root())),
    page('/docs/versions', (_, nowMs) => toHtmlDocument(renderVersionsPage(lifecycle, nowMs, root()))),
  ]
}

const renderGuide = (name: string, root: string): WebDocument =>
  toHtmlDocument(renderMarkdownPage(readFileSync(bundledFile(`docs/guides/${name}.md`), 'utf8'), root))

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
