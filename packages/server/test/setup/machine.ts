import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Duration of `periplus --help` on two idle cores of a small server, in milliseconds. */
const referenceMs = 900

/** Returns the duration of `periplus --help`, which loads every command, relative to the reference; at least 1. */
export function machineFactor(): number {
  const startMs = performance.now()
  spawnSync(process.execPath, [program, '--help'], { stdio: 'ignore' })
  return Math.max(1, (performance.now() - startMs) / referenceMs)
}
