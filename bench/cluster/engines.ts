import { spawnSync } from 'node:child_process'
import { type EngineName, engineTitles, findEngine } from '../../packages/server/test/setup/find-engines.ts'
import { type RunningEngine, runPostgres, runValkey } from '../../packages/server/test/setup/run-engine.ts'
import { cpuMsOfTree } from '../load/processes.ts'

/** An engine of a cluster, which this process has started. */
export interface MeasuredEngine extends RunningEngine {
  /** User and system time of the engine so far, milliseconds. */
  cpuMs(): number
}

export type ClusterEngine = Extract<EngineName, 'pg' | 'valkey'>

/** Returns a sentence for each engine that is missing, and so cannot be measured. */
export const listMissing = (names: readonly ClusterEngine[]): string[] =>
  names.flatMap(name => (programOf(name) === undefined ? [`No program of ${engineTitles[name]} is installed.`] : []))

/** Starts an engine on the second core, next to the load. */
export async function startEngine(name: ClusterEngine): Promise<MeasuredEngine> {
  const program = programOf(name)
  if (program === undefined) throw new Error(`No program of ${engineTitles[name]} is installed.`)
  const engine = await (name === 'pg' ? runPostgres(program) : runValkey(program))
  // Where taskset is missing, the engine runs on all cores.
  spawnSync('taskset', ['-a', '-c', '-p', '1', String(engine.pid)], { stdio: 'ignore' })
  return { ...engine, cpuMs: () => cpuMsOfTree(engine.pid) }
}

function programOf(name: ClusterEngine): string | undefined {
  const found = findEngine(name)
  return found !== undefined && 'program' in found ? found.program : undefined
}
