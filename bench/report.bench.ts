/**
 * Runs all benchmarks with short settings and writes their figures to docs/performance.md, with machine and date.
 *   npm run bench -- report [--places FILE] [--only http,search,…] [--out docs/performance.md] [--quick]
 * The places are the bundled sample unless a file is named. With --only, the sections of other benchmarks stay as they
 * are. With
 * --quick, each measurement takes a second, to check that the benchmarks run: the figures mean nothing. Benchmarks
 * whose programs are not installed say so in their section. Takes about half an hour; the machine should do nothing
 * else.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, hasFlag } from './load/figures.ts'
import { folderWith, samplePlaces } from './load/folder.ts'
import { describeMachine } from './report/machine.ts'
import { mergeReport, type Section } from './report/report-text.ts'
import { runBenchmark } from './report/run-benchmark.ts'
import { excluded, settingsOf } from './report/settings.ts'

const file = flag('places', samplePlaces)
const out = flag('out', join(import.meta.dirname, '../docs/performance.md'))
const scratch = mkdtempSync(join(tmpdir(), 'periplus-report-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

const names = readdirSync(import.meta.dirname).flatMap(name => /^(.+)\.bench\.ts$/.exec(name)?.[1] ?? [])
const settings = settingsOf({ file, data: join(scratch, 'data'), isQuick: hasFlag('quick') })
const unknown = names.filter(name => !(name in settings) && !(name in excluded))
if (unknown.length > 0) throw new Error(`bench/report/settings.ts has no settings for ${unknown.join(', ')}.`)
const wanted = flag('only', Object.keys(settings).join(',')).split(',')
const missing = wanted.filter(name => !(name in settings))
if (missing.length > 0) {
  console.error(`Unknown benchmark: ${missing.join(', ')}. Known are ${Object.keys(settings).join(', ')}.`)
  process.exit(2)
}

const { places } = folderWith(file, join(scratch, 'data'))
const sections: Section[] = []
for (const name of wanted) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${name}`)
  sections.push(await runBenchmark(name, settings[name]!))
}
const before = existsSync(out) ? readFileSync(out, 'utf8') : ''
const machine = describeMachine(places)
writeFileSync(out, mergeReport(before, machine, sections, Object.keys(settings)))
const failed = sections.filter(({ status }) => status !== 0).map(({ name }) => name)
console.error(`Wrote ${out}.${failed.length > 0 ? ` Failed: ${failed.join(', ')}.` : ''}`)
process.exitCode = failed.length > 0 ? 1 : 0
