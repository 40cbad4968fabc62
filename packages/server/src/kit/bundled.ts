import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Source files run in the repository, compiled files in the published package. A build also copies the bundled files
// next to the source files, which must not read those copies.
const isSource = import.meta.url.endsWith('.ts')
const home = fileURLToPath(new URL(isSource ? '../../../../' : '../../', import.meta.url))

/** Returns the path of a file that is part of Periplus, given its path from the root of the repository. */
export function bundledFile(path: string): string {
  const file = join(home, path)
  if (!existsSync(file)) throw new Error(`The file ${path} is missing from this installation.`)
  return file
}

/** Returns the version of this release. */
export function packageVersion(): string {
  const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
