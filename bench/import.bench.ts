/**
 * Measures rows per second and peak memory of an import into a new folder, and of a second import that changes nothing.
 * The search index is built only with --index.
 *   npm run bench -- import [FILE …] [--index]
 * With --formats, imports the places of one NDJSON file also as CSV, GeoJSON and Parquet, each into a folder of its
 * own.
 *   npm run bench -- import [FILE] --formats [--index]
 * With --schemas, imports 380,000 places in the schemas of Overture and Foursquare; FILE is gzipped NDJSON.
 *   npm run bench -- import [FILE] --schemas
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { periplus, samplePlaces } from './load/folder.ts'
import { otherFormatsOf } from './load/formats.ts'
import { publishedTablesOf } from './load/schemas.ts'

interface Report {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly rejected: number
  readonly seconds: number
}

const withIndex = process.argv.includes('--index')
const withSchemas = process.argv.includes('--schemas')
const withFormats = withSchemas || process.argv.includes('--formats')
const named = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const given = named.length > 0 ? named : [samplePlaces]
const convert = withSchemas ? publishedTablesOf : otherFormatsOf
const files = withFormats ? convert(given[0]!, folder) : given
/** Ticks of CPU time a second in /proc; Linux has 100 everywhere. */
const ticksPerSecond = 100

async function importOnce(
  file: string,
  data: string,
): Promise<Report & { peakMb: number; cpuSeconds: number; wallSeconds: number }> {
  const start = performance.now()
  const [program, ...args] = periplus
  const child = spawn(
    program!,
    [...args, 'import', file, '--data', data, '--json', ...(withIndex ? [] : ['--no-index'])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let peakKb = 0
  let cpuTicks = 0
  const watch = setInterval(() => {
    try {
      peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peakKb)
      const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      cpuTicks = Number(times[11]) + Number(times[12])
    } catch {}
  }, 50)
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await once(child, 'close')
  clearInterval(watch)
  return {
    ...(JSON.parse(output) as Report),
    peakMb: Math.round(peakKb / 1024),
    cpuSeconds: cpuTicks / ticksPerSecond,
    wallSeconds: (performance.now() - start) / 1000,
  }
}

const rows = []
for (const run of ['first', 'rerun']) {
  for (const [i, file] of files.entries()) {
    const report = await importOnce(file, join(folder, withFormats ? `data-${i}` : 'data'))
    rows.push({
      run,
      file: file.split('/').at(-1),
      read: report.read,
      added: report.added,
      changed: report.changed,
      unchanged: report.unchanged,
      rejected: report.rejected,
      cpu_s: Number(report.cpuSeconds.toFixed(1)),
      wall_s: Number(report.wallSeconds.toFixed(1)),
      'rows/s': Math.round(report.read / report.seconds),
      peak_mb: report.peakMb,
    })
  }
}
console.table(rows)
rmSync(folder, { recursive: true })
