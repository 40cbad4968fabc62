import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Databases by data folder. */
const urls = new Map<string, string>()

/**
 * Returns the setting of the stores of a data folder: the URL of its own database, which the first call creates, if
 * `PERIPLUS_TEST_STORE` is `postgres`.
 */
export function storeOf(data: string): { store?: string } {
  if (process.env.PERIPLUS_TEST_STORE !== 'postgres') return {}
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
