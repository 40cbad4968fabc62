import { onTestFinished } from 'vitest'
import { releaseLevel } from '../../src/store/postgres/migrations/all.ts'
import { levelOfConnection } from '../../src/store/postgres/pool.ts'
import { execute, query } from '../databases.ts'
import { useDatabase } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { configFor, importRows, scratch } from '../world.ts'
import { createKeys, type TrafficKeys } from './keys.ts'
import { bundleLaterReleases } from './later-bundle.ts'
import { contractedTable } from './later-release.ts'
import { noteOpenings } from './openings.ts'

/** A release as the environment of its processes. */
export type Release = Readonly<Record<string, string>>

/** A database that processes of several releases use. */
export interface ReleaseWorld {
  /** URL of the database. */
  readonly store: string
  /** Folder of the first node. */
  readonly folder: string
  readonly keys: TrafficKeys
  /** This release, and the two after it. */
  readonly releases: { readonly current: Release; readonly next: Release; readonly afterNext: Release }
}

const places = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, name: `Place ${i + 1}`, lat: i, lon: i }))

/** Returns an empty folder, which the end of the test removes. */
function useFolder(): string {
  const folder = scratch()
  onTestFinished(folder.remove)
  return folder.path
}

/** Creates a database with places and keys, which the end of the test drops. */
export async function createReleaseWorld(quotaKeys: number): Promise<ReleaseWorld> {
  const store = await useDatabase(await postgresTemplate())
  await execute(store, `CREATE TABLE ${contractedTable} ()`)
  const folder = useFolder()
  const config = configFor(folder, { store })
  await importRows(config, 'location', places)
  const keys = await createKeys(config, quotaKeys)
  await noteOpenings(store)
  const current = {
    PERIPLUS_STORE: store,
    PERIPLUS_SERVER_PORT: '0',
    PERIPLUS_SERVER_THREADS: '1',
    PERIPLUS_LIMITS_SHARED: 'postgres',
    // A node of a busy machine must not take slow limits for lost ones, and answer alone.
    PERIPLUS_LIMITS_WHEN_DOWN: 'refuse',
    PERIPLUS_LIMITS_PENALTY: 'false',
    PERIPLUS_BLOBS: useFolder(),
    PERIPLUS_SERVER_PUBLIC_URL: 'http://places.example.org',
    PERIPLUS_FEEDS_SCHEDULE: 'manual',
    PERIPLUS_SERVER_LOG_LEVEL: 'warn',
  }
  const bundle = await bundleLaterReleases()
  const later = (count: number): Release => ({ ...current, TEST_BUNDLE: bundle, RELEASES_LATER: String(count) })
  return { store, folder, keys, releases: { current, next: later(1), afterNext: later(2) } }
}

/** Reads the schema of a database. */
export async function readSchema(store: string): Promise<{ readonly version: number; readonly oldest: number }> {
  return (await query<{ version: number; oldest: number }>(store, 'SELECT version, oldest FROM schema'))[0]!
}

/** Returns the releases of the nodes that have not left. */
export async function readReleases(store: string): Promise<string[]> {
  const rows = await query<{ release: string }>(
    store,
    "SELECT DISTINCT release FROM cluster_nodes WHERE mode <> 'left'",
  )
  return rows.map(({ release }) => release).sort()
}

/** Returns the forms of the shared states of keys. */
export async function readForms(store: string, keys: readonly { readonly id: string }[]): Promise<Set<number>> {
  const rows = await query<{ form: number }>(
    store,
    `SELECT coalesce(substring(state FROM '^([0-9]+)~')::integer, 1) AS form
     FROM shared_states WHERE subject IN (${keys.map(({ id }) => `'${id}'`).join()})`,
  )
  return new Set(rows.map(({ form }) => form))
}

/** Returns how often each node has shown that it lives. */
export async function readBeats(store: string): Promise<Map<string, number>> {
  const rows = await query<{ node: string; beat: string }>(
    store,
    "SELECT node, beat FROM cluster_nodes WHERE mode <> 'left'",
  )
  return new Map(rows.map(({ node, beat }) => [node, Number(beat)]))
}

/** Ends all connections of this release, as when a machine is cut off. */
export const endConnections = (store: string): Promise<void> =>
  execute(
    store,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND ${levelOfConnection} = ${releaseLevel}`,
  )
