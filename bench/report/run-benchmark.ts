import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Section } from './report-text.ts'

/** Maximum time of one benchmark, in milliseconds. */
const maxMs = 20 * 60_000

/** Runs a benchmark to its end and returns what it printed. */
export async function runBenchmark(name: string, args: readonly string[]): Promise<Section> {
  const script = fileURLToPath(new URL(`../${name}.bench.ts`, import.meta.url))
  const startMs = performance.now()
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: maxMs,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', part => {
    output += part
  })
  const [status] = (await once(child, 'close')) as [number | null]
  const seconds = Math.round((performance.now() - startMs) / 1000)
  return {
    name,
    args,
    endedMs: Date.now(),
    output: stripVTControlCharacters(output).trim(),
    seconds,
    status: status ?? 1,
  }
}
