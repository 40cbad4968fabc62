import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuMsOfTree, type Server, startServer } from '../../load/processes.ts'
import { importPlaces } from './import.ts'
import { findPrograms } from './programs.ts'
import { startCounters, startPostgres } from './stores.ts'

/** The baseline with its stores, all on the first core. Its CPU time and memory include the stores. */
export interface Baseline extends Server {
  /** Key that its requests need. */
  readonly key: string
  /** Programs that it consists of. */
  readonly description: string
}

/** Sets up the baseline with the places of a file; returns a sentence about what is missing if it cannot run. */
export async function startBaseline(file: string): Promise<Baseline | string> {
  const programs = findPrograms()
  if (typeof programs === 'string') return programs
  const folder = mkdtempSync(join(tmpdir(), 'periplus-baseline-'))
  // PostgreSQL runs as another user if this process runs as root.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const databaseFolder = join(folder, 'postgres')
  const socket = join(folder, 'counters.sock')
  const database = await startPostgres(programs, databaseFolder)
  await importPlaces(programs, databaseFolder, file)
  const counters = await startCounters(programs, socket)
  const key = 'baseline-key'
  const script = fileURLToPath(new URL('serve.ts', import.meta.url))
  const option = programs.hasPostgis ? ['--postgis'] : []
  const server = await startServer([process.execPath, script, databaseFolder, socket, key, ...option])
  return {
    ...server,
    key,
    description: `Fastify, PostgreSQL ${programs.hasPostgis ? 'with' : 'without'} PostGIS, ${programs.counters}`,
    cpuMs: () => server.cpuMs() + cpuMsOfTree(database.pid) + cpuMsOfTree(counters.pid),
    stop: async () => {
      await server.stop()
      await Promise.all([database.stop(), counters.stop()])
    },
  }
}
