/**
 * Writes contract/partner/*.openapi.json, one for each documented version; with `--check` only says whether they are up
 * to date. What R-17 forbids in a version that is not in preview is listed, and from release 1.0 on refused.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { documentedVersions } from './src/http/openapi/catalogue.ts'
import { examplePublicUrl, openApiDocument } from './src/http/openapi/document.ts'
import { feedsDocument } from './src/http/openapi/feeds-document.ts'
import { planOf } from './src/versions/plan.ts'
import { breaksBetween } from './test/contract/changes.ts'

const check = process.argv.includes('--check')
const release = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string }
const isFrozen = Number(release.version.split('.')[0]) >= 1

for (const { name, entry } of documentedVersions(planOf({ versions: {}, endpoints: {} }), Date.now())) {
  const file = fileURLToPath(new URL(`../../contract/partner/${name}.openapi.json`, import.meta.url))
  const document = openApiDocument(entry.version, { publicUrl: examplePublicUrl })
  const text = `${JSON.stringify(document, null, 2)}\n`
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (text === committed) continue
  const promised = committed !== undefined && entry.status !== 'preview'
  const breaks = promised ? breaksBetween(JSON.parse(committed), document) : []
  for (const line of breaks) console.error(`${name}: ${line}`)
  if (breaks.length > 0) console.error(`${name} is a promise (R-17): put such changes into beta or the next version.`)
  if (check || (isFrozen && breaks.length > 0)) {
    console.error(`contract/partner/${name}.openapi.json is not what the code says${check ? ': npm run gen' : ''}.`)
    process.exitCode = 1
  } else writeFileSync(file, text)
}

const feeds = fileURLToPath(new URL('../../contract/feeds/feeds.openapi.json', import.meta.url))
const feedsText = `${JSON.stringify(feedsDocument(examplePublicUrl), null, 2)}\n`
if (!existsSync(feeds) || readFileSync(feeds, 'utf8') !== feedsText) {
  if (check) {
    console.error('contract/feeds/feeds.openapi.json is not what the code says: npm run gen.')
    process.exitCode = 1
  } else writeFileSync(feeds, feedsText)
}
