import { readFileSync } from 'node:fs'
import { libraryFile } from '../../kit/bundled.ts'
import { embedJson, html } from '../../web/html.ts'
import { assetLink, linkTo, type Site } from '../../web/site.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'

/** A document that the API reference can show. */
export interface DocumentChoice {
  readonly name: string
  readonly url: string
}

/** Returns the interactive API reference at `/docs`: Swagger UI with the documents of this service, without a CDN. */
export function renderReferencePage(site: Site, documents: readonly DocumentChoice[], publicUrl: string): string {
  const root = linkTo(site, '/')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Periplus</title>
<link rel="icon" href="${assetLink(site, 'mark.svg')}">
<link rel="stylesheet" href="${root}docs/files/swagger-ui.css">
<link rel="stylesheet" href="${root}assets/reference.css">
</head>
<body>
<nav>
<a href="${root}"><img src="${assetLink(site, 'mark.svg')}" alt="Periplus" width="28" height="28"></a>
<a href="${root}docs/guide">Guide</a>
<a href="${root}docs/feeds">Feeds</a>
<a href="${root}docs/versions">Versions</a>
<a href="${root}docs/errors">Errors</a>
</nav>
<main id="reference"></main>
<script type="application/json" id="settings">${embedJson({ documents, publicUrl, root })}</script>
<script src="${root}docs/files/swagger-ui-bundle.js"></script>
<script src="${root}docs/files/swagger-ui-standalone-preset.js"></script>
<script src="${root}assets/reference.js"></script>
</body>
</html>
`.text
}

/** Content security policy of the API reference. Swagger UI sets style attributes and uses data URLs for its images. */
export const referencePolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
}

const cache = new Map<string, WebDocument>()

/** Returns a file of Swagger UI, read at the first request; undefined for other names. */
export function loadReferenceFile(name: string): WebDocument | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  if (type === undefined) return undefined
  const known = cache.get(name) ?? {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' },
    rendered: new RenderedBody(readFileSync(libraryFile('@fastify/swagger-ui', `static/${name}`, 'reference'))),
  }
  cache.set(name, known)
  return known
}
