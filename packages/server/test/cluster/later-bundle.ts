import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { releaseLevel } from '../../src/store/postgres/migrations/all.ts'
import { compileCache } from '../cli.ts'
import { bundleSources } from '../setup/bundle.ts'
import { levelAfter } from './later-release.ts'

const later = new URL('later-release.ts', import.meta.url)

/** A text of a source, and the text in its place. */
type Change = readonly [text: string | RegExp, replacement: string]

/** Changes that make the sources those of later releases, by the end of the path of a source. */
const changes: Readonly<Record<string, readonly Change[]>> = {
  'store/postgres/migrations/all.ts': [
    [/^/, `import { laterContractions, laterMigrations } from ${JSON.stringify(fileURLToPath(later))}\n`],
    ['export const postgresMigrations', 'const knownMigrations'],
    ['export const postgresContractions', 'const knownContractions'],
    ['export const releaseLevel', 'export const postgresMigrations = laterMigrations(knownMigrations)\n$&'],
    [/$/, '\nexport const postgresContractions = laterContractions(knownContractions, knownMigrations.length)\n'],
  ],
  'domain/forms.ts': [
    [/(limitState: \[.*)\]/, `$1, ${levelAfter(releaseLevel)}]`],
    [/(catalogue: \[.*)\]/, `$1, ${levelAfter(releaseLevel)}]`],
  ],
  'kit/bundled.ts': [
    [/^/, `import { laterVersion } from ${JSON.stringify(fileURLToPath(later))}\n`],
    ['return (JSON.parse(text) as { version: string }).version', 'return laterVersion(JSON.parse(text).version)'],
  ],
  'search/index/stored-file.ts': [[/(export const indexVersion = \d+)/, '$1 + 1']],
}

function change(code: string, file: string, all: readonly Change[]): string {
  return all.reduce((text, [from, to]) => {
    const next = text.replace(from, to)
    if (next === text) throw new Error(`${file} has no ${from}, which later releases change.`)
    return next
  }, code)
}

const plugin: Plugin = {
  name: 'later-releases',
  transform: (code, id) => {
    const file = Object.keys(changes).find(name => id.endsWith(`/src/${name}`))
    return file && change(code, file, changes[file]!)
  },
}

/** Bundles the releases after this one, which exist for tests only, and returns the folder of the bundle. */
export const bundleLaterReleases = (): Promise<string> =>
  bundleSources(dirname(compileCache), {
    name: 'later',
    plugin,
    files: [fileURLToPath(import.meta.url), fileURLToPath(later)],
  })
