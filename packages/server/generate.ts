/**
 * Writes what is promised: contract/partner/*.openapi.json, one for each documented version, and contract/feeds/, a
 * schema for each feed and version and the document of their delivery; beside them the settings: config.schema.json for
 * editors and periplus.example.yaml for people; with `--check` only says whether they are up to
 * date. What R-17 forbids in a version that is not in preview is listed, and from release 1.0 on refused.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configExample, configJsonSchema } from './src/config/documents.ts'
import { feedNames } from './src/domain/feed.ts'
import { feedSchema } from './src/feeds/schema-document.ts'
import { schemaName } from './src/feeds/schemas.ts'
import { documentedVersions } from './src/http/openapi/catalogue.ts'
import { examplePublicUrl, openApiDocument } from './src/http/openapi/document.ts'
import { feedsDocument } from './src/http/openapi/feeds-document.ts'
import { resolveLifecycle } from './src/versions/lifecycle.ts'
import { registry } from './src/versions/registry.ts'
import { breaksBetween } from './test/contract/changes.ts'

const check = process.argv.includes('--check')
const release = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
const isFrozen = Number(release.version.split('.')[0]) >= 1

/** `breaks`: what R-17 forbids, between the committed document and this one. */
function keep(path: string, document: object | string, breaks: (committed: object) => string[] = () => []): void {
  const file = fileURLToPath(new URL(`../../contract/${path}`, import.meta.url))
  const text = typeof document === 'string' ? document : `${JSON.stringify(document, null, 2)}\n`
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (text === committed) return
  const broken = committed === undefined || typeof document === 'string' ? [] : breaks(JSON.parse(committed) as object)
  for (const line of broken) console.error(`${path}: ${line}`)
  if (broken.length > 0) console.error(`${path} is a promise (R-17): put such changes into beta or the next version.`)
  if (check || (isFrozen && broken.length > 0)) {
    console.error(`contract/${path} is not what the code says${check ? ': npm run gen' : ''}.`)
    process.exitCode = 1
  } else writeFileSync(file, text)
}

for (const { name, entry } of documentedVersions(resolveLifecycle({ versions: {}, endpoints: {} }), Date.now())) {
  const document = openApiDocument(entry.version, { publicUrl: examplePublicUrl })
  const promised = entry.status !== 'preview'
  keep(`partner/${name}.openapi.json`, document, was => (promised ? breaksBetween({ ...was }, document) : []))
}

/** A schema as the answer of an endpoint, which is what changes are judged in. */
const answering = (schema: object) => ({ ...schema, paths: { '/line': { get: { responses: { 200: schema } } } } })

for (const { name, version, status } of registry) {
  if (!version) continue
  for (const feed of feedNames) {
    const schema = feedSchema(feed, version)
    const promised = status !== 'preview'
    keep(`feeds/${schemaName({ feed, version: name })}`, schema, was =>
      promised ? breaksBetween(answering(was), answering(schema)) : [],
    )
  }
}

keep('feeds/feeds.openapi.json', feedsDocument(examplePublicUrl))

keep('config.schema.json', configJsonSchema())
keep('periplus.example.yaml', configExample())
