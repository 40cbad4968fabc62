import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** How the benchmarks start Periplus: the pinned Node, the sources as they are. */
export const periplus = [process.execPath, join(root, 'packages/server/src/cli/main.ts')]

/** Runs a command and gives its JSON. */
export function runJson<T>(...args: string[]): T {
  const [program, ...first] = periplus
  return JSON.parse(
    execFileSync(program!, [...first, ...args, '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as T
}

/** A data folder with the places of `file` in it: a new one, or `folder` when it is there. */
export function folderWith(file: string, folder = ''): { folder: string; places: number } {
  const target = folder || mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  if (!existsSync(join(target, 'control.sqlite'))) console.error(`importing ${file} into ${target} …`)
  const report = runJson<{ added: number; unchanged: number; changed: number }>('import', file, '--data', target)
  return { folder: target, places: report.added + report.changed + report.unchanged }
}

/** A key whose limits no benchmark reaches. */
export const boundlessKey = (folder: string): string =>
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
    '--data',
    folder,
  ).key

/** The bundled sample. */
export const samplePlaces = join(root, 'demo/places.ndjson.gz')
