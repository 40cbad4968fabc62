/**
 * Measures the quality of searches by classes of queries (bench/search/quality.ts), and the letters that autocomplete
 * needs (bench/search/letters.ts), for the places of a file.
 *   npm run bench -- quality [--places FILE] [--seeds 1,2,3] [--per-class 100]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag } from './load/figures.ts'
import { samplePlaces } from './load/folder.ts'

const file = flag('places', samplePlaces)
const perClass = flag('per-class', '100')
const scratch = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const index = join(scratch, 'search.index')

/** Runs a script of bench/search with the places and the index; ends with its status if it fails. */
function run(script: string, output: 'inherit' | 'ignore', ...args: readonly string[]): void {
  const command = [join(import.meta.dirname, 'search', script), file, index, ...args]
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', output, 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}

run('build.ts', 'ignore')
run('quality.ts', 'inherit', '--seeds', flag('seeds', '1,2,3'), '--per-class', perClass)
run('letters.ts', 'inherit', '--places', perClass)
