/**
 * Creates the data folder of the current release as a fixture for later releases. Run once for each release:
 *   node packages/server/test/store/make-release.ts
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { places, reviews } from './release-rows.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as { version: string }
const folder = here(`../fixtures/release-${version}`)
const periplus = (args: readonly string[], input = '') =>
  execFileSync(process.execPath, [here('../../src/cli/main.ts'), ...args, '--data', folder, '--json'], {
    input,
    encoding: 'utf8',
  })
const lines = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).join('\n')

rmSync(folder, { recursive: true, force: true })
periplus(['import', '-', '--kind', 'locations', '--no-index'], lines(places))
periplus(['import', '-', '--kind', 'reviews', '--no-index'], lines(reviews))
const { key } = JSON.parse(periplus(['keys', 'create', '--package', 'discover', '--name', 'fixture'])) as {
  key: string
}
writeFileSync(`${folder}/key.txt`, `${key}\n`)
