import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Time that `periplus --help` takes on two idle cores of a small server, in milliseconds. */
const referenceMs = 900

/** Measures how much slower than the reference this machine is now: starts `periplus --help`, which loads every command. Never below 1. */
export function machineFactor(): number {
  const startMs = performance.now()
  spawnSync(process.execPath, [program, '--help'], { stdio: 'ignore' })
  return Math.max(1, (performance.now() - startMs) / referenceMs)
}
