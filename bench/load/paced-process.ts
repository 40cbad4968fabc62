/**
 * Runs a paced load in a process of its own, so that two loads do not delay each other's timers.
 *   node bench/load/paced-process.ts < OPTIONS.json
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Paced, type PacedOptions, pacedLoad } from './paced.ts'
import { onCore } from './processes.ts'

const file = fileURLToPath(import.meta.url)

/** Runs a paced load in another process, on the second core. */
export async function pacedLoadInProcess(options: PacedOptions): Promise<Paced> {
  const [program, ...args] = onCore(1, [process.execPath, file])
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(options))
  const [load] = await Promise.all([json(child.stdout) as Promise<Paced>, once(child, 'close')])
  return load
}

if (process.argv[1] === file) {
  process.stdout.write(JSON.stringify(await pacedLoad((await json(process.stdin)) as PacedOptions)))
}
