import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The command that starts Periplus from its sources, with the Node that runs the benchmark. */
export const periplus = [process.execPath, join(root, 'packages/server/src/cli/main.ts')]

/** Runs a command with `--json` and returns its result. */
export const runJson = <T>(...args: string[]): T => runJsonWith<T>(process.env, ...args)

/** Runs a command with `--json` in an environment and returns its result. */
export function runJsonWith<T>(env: NodeJS.ProcessEnv, ...args: string[]): T {
  const [program, ...first] = periplus
  return JSON.parse(
    execFileSync(program!, [...first, ...args, '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    }),
  ) as T
}

/**
 * Imports `file` into `folder`, or into a new data folder that is deleted at the end. Returns the folder and its
 * places.
 */
export function folderWith(file: string, folder = ''): { folder: string; places: number } {
  const target = folder || mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  if (folder === '') process.once('exit', () => rmSync(target, { recursive: true, force: true }))
  if (!existsSync(join(target, 'control.sqlite'))) console.error(`Importing ${file} into ${target}.`)
  const report = runJson<{ added: number; unchanged: number; changed: number }>('import', file, '--data', target)
  return { folder: target, places: report.added + report.changed + report.unchanged }
}

/** Creates a key with add-ons whose limits no benchmark reaches, and returns its secret. */
export const unlimitedKey = (folder: string, addOns: readonly string[] = []): string =>
  runJson<{ key: string }>(
    'keys',
    'create',
    '--package',
    'transform',
    '--quota',
    'unlimited',
    '--rate',
    '1000000',
    '--burst',
    '1000000',
    '--search-rate',
    '1000000',
    '--search-burst',
    '1000000',
    '--search-quota',
    'unlimited',
    ...addOns.flatMap(addOn => ['--add-on', addOn]),
    '--data',
    folder,
  ).key

/** The places of the bundled sample. */
export const samplePlaces = join(root, 'demo/places.ndjson.gz')
