/**
 * Sends requests that schemathesis generates from the served OpenAPI documents to a service with a part of the sample,
 * and checks that every response is documented: status, content type, headers and schema. Skipped where schemathesis
 * (Python) is not installed. PERIPLUS_FUZZ_EXAMPLES is the number of examples per operation (default 10).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const main = join(root, 'packages/server/src/cli/main.ts')
const examples = process.env.PERIPLUS_FUZZ_EXAMPLES ?? '10'
const sampleSize = 400
const unlimited = ['--rate', '--burst', '--search-rate', '--search-burst'].flatMap(flag => [flag, '100000'])

/** The service is lenient on purpose, and OpenAPI cannot express rules between parameters. */
const excludedChecks = 'negative_data_rejection,positive_data_acceptance'

const readRows = (name: string): string[] =>
  gunzipSync(readFileSync(join(root, 'demo', name)))
    .toString()
    .trim()
    .split('\n')

const periplus = (data: string, ...args: string[]): string =>
  execFileSync(process.execPath, [main, ...args, '--data', data], { cwd: data, encoding: 'utf8', stdio: 'pipe' })

/** Fills a data folder with a part of the sample and its feeds; returns a key without limits. */
function prepare(folder: string): string {
  const places = readRows('places.ndjson.gz').slice(0, sampleSize)
  const known = new Set(places.map(line => String((JSON.parse(line) as { source_id: string }).source_id)))
  const reviews = readRows('reviews.ndjson.gz').filter(line =>
    known.has(String((JSON.parse(line) as { place_source_id: string }).place_source_id)),
  )
  for (const [name, rows] of Object.entries({ places, reviews })) {
    writeFileSync(join(folder, `${name}.ndjson`), `${rows.join('\n')}\n`)
    periplus(folder, 'import', join(folder, `${name}.ndjson`))
  }
  const limits = [...unlimited, '--quota', 'unlimited', '--search-quota', 'unlimited']
  const { secret } = JSON.parse(periplus(folder, 'keys', 'create', '--package', 'innovate', ...limits, '--json'))
  periplus(folder, 'feeds', 'build')
  return secret as string
}

/** Starts the service and returns it with its address. */
async function serve(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const args = [main, 'serve', '--data', folder, '--port', '0', '--log-level', 'error']
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^listening on (http\S+)$/.exec(line)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error('The service ended before it listened.')
}

/** Runs schemathesis on one document; returns true if every response was as documented. */
async function fuzz(url: string, key: string, name: string): Promise<boolean> {
  // Generated requests may lack the parameter; the header selects the version of the document for them.
  const version = name === 'feeds' ? [] : ['-H', `API-Version: ${name}`]
  const args = ['run', `${url}/openapi/${name}.json`, '-H', `X-API-Key: ${key}`, ...version]
  const options = ['--checks', 'all', '--exclude-checks', excludedChecks, '--phases', 'examples,coverage,fuzzing']
  const child = spawn(
    'schemathesis',
    [...args, ...options, '--max-examples', examples, '--seed', '1', '--continue-on-failure', '--no-color'],
    { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  console.log(`${name}: ${/^\s*(\d+ generated.*)$/m.exec(output)?.[1] ?? 'no requests'}`)
  if (code !== 0) console.error(output)
  return code === 0
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-fuzz-'))
  try {
    const key = prepare(folder)
    const { child, url } = await serve(folder)
    try {
      for (const name of ['v1', 'v2', 'beta', 'feeds']) if (!(await fuzz(url, key, name))) process.exitCode = 1
    } finally {
      child.kill()
      await once(child, 'close')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (spawnSync('schemathesis', ['--version']).error === undefined) await run()
else
  console.log(
    'schemathesis is not installed, so no requests were generated from the OpenAPI documents (pip install schemathesis).',
  )
