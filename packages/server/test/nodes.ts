/**
 * Worlds on several nodes: PERIPLUS_TEST_NODES=2 npx vitest run FILE runs each world of a test file on two nodes that
 * share limits in one database, and sends its requests to them in turns.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, Overrides } from '../src/config/load.ts'
import { PostgresLimitStates } from '../src/store/postgres/shared-states.ts'
import { scratch } from './scratch.ts'
import { freePort } from './setup/free-port.ts'

/** Number of nodes of each world. */
export const nodesOfWorlds = (): number => Number(process.env.PERIPLUS_TEST_NODES ?? 1)

/** Returns the settings of nodes behind an address. `blobs`: a folder that they share. */
export const sharedSettings = (port: number, blobs: string): Overrides => ({
  'limits.shared': 'postgres',
  'server.publicUrl': `http://127.0.0.1:${port}`,
  'server.threads': 1,
  blobs,
})

/** Returns the configuration of another node of the same database, with a folder of its own and a port. */
export async function addNode(config: Config): Promise<{ readonly config: Config; remove(): void }> {
  const folder = scratch()
  copyFileSync(join(config.data, 'pepper'), join(folder.path, 'pepper'))
  const server = { ...config.server, port: await freePort() }
  return { config: { ...config, data: folder.path, server }, remove: folder.remove }
}

/**
 * Lets the clock of shared states follow that of this process, which tests of limits stop and advance; otherwise the
 * nodes would see a step of a clock.
 */
export function followOwnClock(): void {
  const startUs = (Date.now() - performance.now()) * 1000
  PostgresLimitStates.prototype.clockUs = async () => Math.floor(startUs + performance.now() * 1000)
}
