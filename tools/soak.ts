/**
 * Runs the long forms of tests sequentially, on loopback only, with a line of progress every 10 s:
 *   npm run soak -- [NAME …] [--seed N] [--share 0.01]
 * Names are those of `forms` below. Without names it runs all of them, which takes about two hours. The seed is
 * printed; the same seed makes the same requests and times. `--share` runs that part of the full length.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

/** A long form of a test: its files, the variable that sets its length, the length, and the maximum time in minutes. */
interface Form {
  readonly file: string | readonly string[]
  /** Further variables of the test. */
  readonly env?: Readonly<Record<string, string>>
  readonly variable: string
  readonly length: number
  /** Length below which the test does not reach everything that it checks. Default: 1. */
  readonly minimumLength?: number
  readonly what: string
  readonly maxMinutes: number
}

const tests = 'packages/server/test'
const forms: Readonly<Record<string, Form>> = {
  kills: {
    file: `${tests}/kill-serve.test.ts`,
    variable: 'PERIPLUS_KILLS',
    length: 1000,
    what: 'kills of the serving process under load',
    maxMinutes: 120,
  },
  rounds: {
    file: `${tests}/feeds/rounds.test.ts`,
    variable: 'PERIPLUS_ROUNDS',
    length: 200,
    minimumLength: 16,
    what: 'rounds of changes and feeds',
    maxMinutes: 30,
  },
  nodes: {
    file: `${tests}/scenarios/limits.test.ts`,
    variable: 'PERIPLUS_TEST_NODES',
    length: 3,
    minimumLength: 2,
    what: 'nodes that share the limits of a world',
    maxMinutes: 10,
  },
  pages: {
    file: ['management', 'events', 'identity/people', 'identity/mail', 'identity/tokens'].map(
      name => `${tests}/${name}`,
    ),
    env: { PERIPLUS_TEST_STORE: 'postgres' },
    variable: 'PERIPLUS_TEST_NODES',
    length: 1,
    what: 'node with pages, the admin API and webhooks on PostgreSQL',
    maxMinutes: 30,
  },
  restarts: {
    file: `${tests}/restart.test.ts`,
    variable: 'PERIPLUS_RESTARTS',
    length: 20,
    what: 'restarts under load',
    maxMinutes: 30,
  },
  upgrades: {
    file: `${tests}/cluster/upgrade.test.ts`,
    variable: 'PERIPLUS_UPGRADES',
    length: 20,
    what: 'upgrades of a node and ways back, next to the release before',
    maxMinutes: 30,
  },
  pulls: {
    file: `${tests}/feeds/pull-properties.test.ts`,
    variable: 'PERIPLUS_PULLS',
    length: 1000,
    what: 'pulls of random deltas',
    maxMinutes: 30,
  },
  parts: {
    file: `${tests}/search/parts.test.ts`,
    variable: 'PERIPLUS_QUERIES',
    length: 100_000,
    what: 'random queries of an index of one part and of five',
    maxMinutes: 60,
  },
  partialBuild: {
    file: `${tests}/search/partial-build.test.ts`,
    variable: 'PERIPLUS_QUERIES',
    length: 10_000,
    what: 'random queries of an index after each of seven partial rebuilds',
    maxMinutes: 60,
  },
  shapes: {
    file: `${tests}/search/shapes.test.ts`,
    variable: 'PERIPLUS_SHAPES',
    length: 5000,
    what: 'random polygons, and as many routes, against brute force',
    maxMinutes: 60,
  },
  requests: {
    file: `${tests}/raw-requests.test.ts`,
    variable: 'PERIPLUS_REQUESTS',
    length: 1_000_000,
    what: 'mutated requests',
    maxMinutes: 60,
  },
  reader: {
    file: `${tests}/http/reader.test.ts`,
    variable: 'PERIPLUS_REQUESTS',
    length: 200_000,
    what: 'mutated requests with and without the reader of simple GETs',
    maxMinutes: 60,
  },
  reads: {
    file: `${tests}/packed/served.test.ts`,
    variable: 'PERIPLUS_READS',
    length: 1_000_000,
    what: 'random reads over the short and the ordinary way',
    maxMinutes: 60,
  },
  limiter: {
    file: 'packages/server/src/access/limits.test.ts',
    variable: 'PERIPLUS_LIMITER_STEPS',
    length: 50_000_000,
    what: 'steps of the limiter and its model',
    maxMinutes: 30,
  },
  'cluster-limits': {
    file: 'packages/server/src/limits/shared/simulation/simulation.test.ts',
    variable: 'PERIPLUS_CLUSTER_SEEDS',
    length: 10_000,
    what: 'simulations of nodes that share limits, through random faults',
    maxMinutes: 120,
  },
  threads: {
    file: 'packages/server/src/access/shared-limits.test.ts',
    variable: 'PERIPLUS_THREAD_ROUNDS',
    length: 20_000,
    what: 'rounds of four threads that share limits',
    maxMinutes: 30,
  },
  histories: {
    file: `${tests}/store/contract/model.test.ts`,
    variable: 'PERIPLUS_HISTORIES',
    length: 1000,
    what: 'histories of records and their model, on each engine',
    maxMinutes: 60,
  },
  windows: {
    file: `${tests}/simulated-windows.test.ts`,
    variable: 'PERIPLUS_SIMULATED_HOURS',
    length: 720,
    minimumLength: 48,
    what: 'simulated hours of 24-hour windows',
    maxMinutes: 30,
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, share: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_007)
const share = Number(values.share ?? 1)
const unknown = positionals.filter(name => !(name in forms))
if (unknown.length > 0 || !Number.isSafeInteger(seed) || !(share > 0 && share <= 1)) {
  console.error(`Usage: npm run soak -- [${Object.keys(forms).join('] [')}] [--seed N] [--share 0.01]`)
  process.exit(2)
}

/** Runs a form; returns true if it passed within its time. */
async function run({ file, env, variable, length, minimumLength = 1, what, maxMinutes }: Form): Promise<boolean> {
  const count = Math.max(minimumLength, Math.round(length * share))
  console.log(`${new Date().toISOString()} ${count} ${what}, seed ${seed}`)
  const child = spawn('npx', ['vitest', 'run', '--disable-console-intercept', '--testTimeout=0', ...[file].flat()], {
    stdio: 'inherit',
    env: { ...process.env, ...env, [variable]: String(count), PERIPLUS_SEED: String(seed), PERIPLUS_PROGRESS: '1' },
    timeout: maxMinutes * 60_000,
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== null) console.error(`Stopped after ${maxMinutes} minutes.`)
  return code === 0
}

const failed: string[] = []
for (const [name, form] of Object.entries(forms)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  if (!(await run(form))) failed.push(name)
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}. Repeat with --seed ${seed}.`)
process.exit(failed.length > 0 ? 1 : 0)
