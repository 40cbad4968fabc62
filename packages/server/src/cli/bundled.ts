import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file that comes with Periplus: inside the published package, or at the root of the repository. */
export function bundledFile(path: string): string {
  const candidates = [`../../${path}`, `../../../../${path}`].map(one => fileURLToPath(new URL(one, import.meta.url)))
  const found = candidates.find(one => existsSync(one))
  if (!found) throw new Error(`The file ${path} is missing from this installation.`)
  return found
}

/** The version of this release. */
export function packageVersion(): string {
  const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
