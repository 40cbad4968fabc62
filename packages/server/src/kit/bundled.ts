import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Sources are run where the whole repository is; what is compiled of them lies in a package of its own. A build leaves
// copies beside the sources, which must not hide what they were made from.
const isSource = import.meta.url.endsWith('.ts')
const home = fileURLToPath(new URL(isSource ? '../../../../' : '../../', import.meta.url))

/** A file that comes with Periplus, by its path from the root of the repository. */
export function bundledFile(path: string): string {
  const found = join(home, path)
  if (!existsSync(found)) throw new Error(`The file ${path} is missing from this installation.`)
  return found
}

/** A file of a library that is only needed to build: the published package holds a copy in `folder`. */
export function libraryFile(library: string, path: string, folder: string): string {
  const root = isSource ? dirname(createRequire(import.meta.url).resolve(library)) : join(home, folder)
  return isSource ? join(root, path) : join(root, path.split('/').at(-1)!)
}

/** The version of this release. */
export function packageVersion(): string {
  const text = readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
