import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodesOfWorlds } from './nodes.ts'

/** Returns true if worlds have databases: with `PERIPLUS_TEST_STORE=postgres`, and if they have several nodes. */
export const isOnPostgres = (): boolean => process.env.PERIPLUS_TEST_STORE === 'postgres' || nodesOfWorlds() > 1

/** Databases by data folder. */
const urls = new Map<string, string>()

/**
 * Returns the setting of the stores of a data folder: the URL of its own database, which the first call creates, if
 * worlds are on PostgreSQL.
 */
export function storeOf(data: string): { store?: string } {
  if (!isOnPostgres()) return {}
  const script = fileURLToPath(new URL('create-world-database.ts', import.meta.url))
  const url = urls.get(data) ?? execFileSync(process.execPath, [script], { encoding: 'utf8' })
  urls.set(data, url)
  return { store: url }
}

/** Returns the environment of a command, which names its data folder, for the stores of that folder. */
export function storeVariables(args: readonly string[]): { PERIPLUS_STORE?: string } {
  const url = urls.get(args[args.indexOf('--data') + 1] ?? '')
  return url === undefined ? {} : { PERIPLUS_STORE: url }
}
