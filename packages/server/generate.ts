/**
 * Generates the files in contract/:
 *
 * - partner/*.openapi.json, the OpenAPI document of each version that is served or remains in feeds;
 * - feeds/, the JSON Schema of each feed and version, the columns of each in Parquet, and the OpenAPI document of the
 *   feeds;
 * - admin/v1.openapi.json, the OpenAPI document of the admin API;
 * - config.schema.json, the schema of periplus.yaml for editors, and periplus.example.yaml with every setting.
 *
 * With `--check`, writes nothing and fails if a file is out of date. Reports changes that R-17 forbids in versions
 * other than previews; from release 1.0 on, fails on them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfigExample, createConfigJsonSchema } from './src/config/documents.ts'
import { feedNames } from './src/domain/feed.ts'
import { describeColumns } from './src/feeds/parquet/table.ts'
import { feedSchema } from './src/feeds/schema-document.ts'
import { schemaName } from './src/feeds/schemas.ts'
import { exampleSettings } from './src/http/openapi/document.ts'
import { findDocument, getFeedDocument, listVersionDocuments } from './src/http/openapi/served-documents.ts'
import { createAdminDocument, exampleAdminSettings } from './src/management/openapi.ts'
import { resolveLifecycle } from './src/versions/lifecycle.ts'
import { registry } from './src/versions/registry.ts'
import { breakingChanges } from './test/contract/changes.ts'

const check = process.argv.includes('--check')
const release = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
const isFrozen = Number(release.version.split('.')[0]) >= 1

/** Writes or checks one file. `breaks` returns the changes since the committed document that R-17 forbids. */
function generate(path: string, document: object | string, breaks: (committed: object) => string[] = () => []): void {
  const file = fileURLToPath(new URL(`../../contract/${path}`, import.meta.url))
  const text = typeof document === 'string' ? document : `${JSON.stringify(document, null, 2)}\n`
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (text === committed) return
  const broken = committed === undefined || typeof document === 'string' ? [] : breaks(JSON.parse(committed) as object)
  for (const line of broken) console.error(`${path}: ${line}`)
  const advice = isFrozen
    ? 'R-17 forbids these changes; make them in beta or in the next version.'
    : 'R-17 forbids these changes from release 1.0 on; until then, a review decides.'
  if (broken.length > 0) console.error(`${path}: ${advice}`)
  if (check || (isFrozen && broken.length > 0)) {
    console.error(`contract/${path} is out of date.${check ? ' Run npm run gen.' : ''}`)
    process.exitCode = 1
  } else writeFileSync(file, text)
}

const lifecycle = resolveLifecycle({ versions: {}, endpoints: {} })
const nowMs = Date.now()

for (const { name, entry } of listVersionDocuments(lifecycle, nowMs)) {
  const document = findDocument(lifecycle, exampleSettings, name, nowMs)!
  const isFrozenVersion = entry.status !== 'preview'
  generate(`partner/${name}.openapi.json`, document, committed =>
    isFrozenVersion ? breakingChanges({ ...committed }, document) : [],
  )
}

/** Wraps the schema of a line in the response of an endpoint, because `breakingChanges` compares responses. */
const asResponse = (schema: { readonly anyOf?: unknown }) => ({
  ...schema,
  paths: { '/line': { get: { responses: { 200: { anyOf: schema.anyOf } } } } },
})

for (const { name, version, status } of registry) {
  if (!version) continue
  for (const feed of feedNames) {
    const schema = feedSchema(feed, version)
    const isFrozenVersion = status !== 'preview'
    generate(`feeds/${schemaName({ feed, version: name })}`, schema, committed =>
      isFrozenVersion ? breakingChanges(asResponse(committed), asResponse(schema)) : [],
    )
  }
}

const tables = registry.flatMap(({ name, version }) =>
  version ? feedNames.map(feed => `${feed}, version ${name}\n\n${describeColumns(feed, version)}`) : [],
)
generate('feeds/parquet-columns.txt', tables.join('\n'))

generate('feeds/feeds.openapi.json', getFeedDocument(lifecycle, exampleSettings, nowMs))

const adminDocument = createAdminDocument(exampleAdminSettings)
generate('admin/v1.openapi.json', adminDocument, committed => breakingChanges({ ...committed }, adminDocument))

generate('config.schema.json', createConfigJsonSchema())
generate('periplus.example.yaml', createConfigExample())
