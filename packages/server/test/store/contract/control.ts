/** Stores of control data on the databases of all engines. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { noFactors, type User } from '../../../src/domain/user.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { neverLost } from '../../../src/store/folder/lock.ts'
import { PostgresPool, workTimeouts } from '../../../src/store/postgres/pool.ts'
import { createPostgresDatabase } from '../../../src/store/postgres/sql-database.ts'
import { createTokens } from '../../../src/store/sql/admin-tokens.ts'
import { createAudit } from '../../../src/store/sql/audit.ts'
import type { SqlDatabase } from '../../../src/store/sql/database.ts'
import { createEventQueue } from '../../../src/store/sql/event-queue.ts'
import { createIdempotency } from '../../../src/store/sql/idempotency.ts'
import { createJobs, type JobFolders, type JobLocks } from '../../../src/store/sql/jobs.ts'
import { createKeys } from '../../../src/store/sql/keys.ts'
import { createPeople } from '../../../src/store/sql/people.ts'
import { createSuggestions } from '../../../src/store/sql/suggestions.ts'
import { createUpgrades } from '../../../src/store/sql/upgrades.ts'
import { createUsageExports } from '../../../src/store/sql/usage-exports.ts'
import { createWebhooks } from '../../../src/store/sql/webhooks.ts'
import { controlMigrations } from '../../../src/store/sqlite/migrations/control.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { createSqliteDatabase } from '../../../src/store/sqlite/sql-database.ts'
import { createDatabase, describeWith } from '../../engines.ts'
import { postgresTemplate } from '../../postgres-template.ts'

/** The stores of control data as one process has them. */
export type ControlStores = ReturnType<typeof createStores>

function createStores(db: SqlDatabase) {
  const held = new Set<string>()
  const locks: JobLocks = {
    hold: async (id, role) => {
      held.add(`${id} ${role}`)
      return { lost: neverLost, release: async () => void held.delete(`${id} ${role}`) }
    },
    isHeld: async (id, role) => held.has(`${id} ${role}`),
  }
  const folders: JobFolders = { pathOf: id => id, create: () => {}, remove: () => {}, listStale: () => [] }
  return {
    db,
    keys: createKeys(db),
    people: createPeople(db),
    upgrades: createUpgrades(db),
    suggestions: createSuggestions(db),
    tokens: createTokens(db),
    idempotency: createIdempotency(db),
    audit: createAudit(db),
    webhooks: createWebhooks(db),
    events: createEventQueue(db),
    jobs: createJobs({ db, locks, folders, clock: systemClock }),
    exports: createUsageExports(db),
  }
}

/** Declares a suite for each engine, on one database; `open` returns the stores of two processes on it. */
export function describeControl(title: string, suite: (open: () => readonly [ControlStores, ControlStores]) => void) {
  describe(`${title} of sqlite`, () => suite(useStores(openFile)))
  describeWith(['pg'], `${title} of postgres`, () => suite(useStores(openPostgres)))
}

interface Opened {
  readonly databases: readonly [SqlDatabase, SqlDatabase]
  close(): Promise<void>
}

function useStores(openBoth: () => Promise<Opened>): () => readonly [ControlStores, ControlStores] {
  let opened: Opened
  let stores: readonly [ControlStores, ControlStores]
  beforeAll(async () => {
    opened = await openBoth()
    stores = [createStores(opened.databases[0]), createStores(opened.databases[1])]
  }, inject('limitMs'))
  afterAll(() => opened.close())
  return () => stores
}

async function openFile(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-control-'))
  const open = () =>
    openSqlite(join(folder, 'control.sqlite'), controlMigrations, { create: true, synchronous: 'NORMAL' })
  const files = [open(), open()] as const
  return {
    databases: [createSqliteDatabase(files[0]), createSqliteDatabase(files[1])],
    close: async () => {
      for (const file of files) file.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function openPostgres(): Promise<Opened> {
  const open = (url: string) => new PostgresPool({ url, connections: 4, timeouts: workTimeouts })
  const { url, drop } = await createDatabase(await postgresTemplate())
  const pools = [open(url), open(url)] as const
  return {
    databases: [createPostgresDatabase(pools[0]), createPostgresDatabase(pools[1])],
    close: async () => {
      for (const pool of pools) await pool.close()
      await drop()
    },
  }
}

/** Returns 32 bytes that differ by the text. */
export const digestOf = (text: string): Buffer => Buffer.alloc(32, text)

/** Returns an active user; `more` are members with other values. */
export const userNamed = (id: string, more: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.org`,
  memberships: [],
  state: 'active',
  factors: noFactors,
  createdMs: 0,
  revision: 1,
  ...more,
})
