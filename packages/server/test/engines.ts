/**
 * Servers that tests need, without containers: PostgreSQL, Valkey or Redis, and an S3 store. `PERIPLUS_TEST_PG`,
 * `_VALKEY` and `_S3` name a URL, or a program to start; otherwise, what is installed is started on free ports, and
 * ended with the tests. Suites whose server is missing are skipped, which the end of the run reports, unless
 * `PERIPLUS_TEST_REQUIRE` lists it, such as `pg,valkey`.
 */
import { describe, onTestFinished } from 'vitest'
import { createDatabase } from './databases.ts'
import { type EngineName, engineTitles, findEngine } from './setup/find-engines.ts'
import {
  type RunningEngine,
  runPostgres,
  runReplica,
  runS3,
  runSentinel,
  runValkey,
  s3Credentials,
} from './setup/run-engine.ts'
import { recordSkipped } from './setup/share-engines.ts'

export { createDatabase, createTemplate, execute } from './databases.ts'
export type { RunningEngine }

/**
 * Returns why suites that need a server are skipped; undefined if it is available. Throws if the server is required.
 */
export function whyMissing(name: EngineName): string | undefined {
  if (findEngine(name) !== undefined) return undefined
  const reason = `${engineTitles[name]} is not installed.`
  const required = (process.env.PERIPLUS_TEST_REQUIRE ?? '').split(',')
  if (required.includes(name)) throw new Error(`${reason} PERIPLUS_TEST_REQUIRE requires it.`)
  return reason
}

/** Declares a suite that needs servers; it is skipped, and counted, if one is missing. */
export function describeWith(names: readonly EngineName[], title: string, suite: () => void): void {
  const reason = names.map(whyMissing).find(why => why !== undefined)
  if (reason !== undefined) recordSkipped(reason)
  describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (${reason})`, suite)
}

/** Starts a PostgreSQL of its own, for tests that kill it; the caller stops it. */
export const startPostgres = (): Promise<RunningEngine> => runPostgres(programOf('pg'))

/** Starts a streaming replica of a PostgreSQL that the caller has started; the caller stops it. */
export const startReplica = (primary: RunningEngine): Promise<RunningEngine> => runReplica(programOf('pg'), primary)

/** Starts a Valkey or Redis of its own, or the given program; the caller stops it. */
export const startValkey = (program?: string): Promise<RunningEngine> => runValkey(program ?? programOf('valkey'))

/** Starts a replica of a Valkey that the caller has started; the caller stops it. */
export const startValkeyReplica = ({ port }: RunningEngine): Promise<RunningEngine> =>
  runValkey(programOf('valkey'), { replicaof: `127.0.0.1 ${port}` })

/** Starts a Sentinel that watches a primary under a name; the caller stops it. */
export const startSentinel = (name: string, primary: RunningEngine): Promise<RunningEngine> =>
  runSentinel(programOf('valkey'), name, primary)

/**
 * Returns the address of blobs in an S3 store, with its credentials in the environment: those of `PERIPLUS_TEST_S3`, or
 * of SeaweedFS, which this process ends with.
 */
export async function findS3(): Promise<string> {
  const found = findEngine('s3')
  if (found !== undefined && 'url' in found) return found.url
  Object.assign(process.env, s3Credentials)
  s3 ??= runS3(programOf('s3'))
  return (await s3).url
}

let s3: Promise<RunningEngine> | undefined

function programOf(name: EngineName): string {
  const found = findEngine(name)
  if (found !== undefined && 'program' in found) return found.program
  throw new Error(`This test needs a program of ${engineTitles[name]} to start.`)
}

/** Creates a database as `createDatabase` does, for one test, which drops it. */
export async function useDatabase(template?: string): Promise<string> {
  const { url, drop } = await createDatabase(template)
  onTestFinished(drop)
  return url
}
