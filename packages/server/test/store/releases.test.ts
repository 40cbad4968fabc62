/** Two releases on one database: what the older one needs stays as long as a process of it is left. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { NewerSchema } from '../../src/domain/store-errors.ts'
import { openCandidate } from '../../src/store/postgres/candidate.ts'
import { createPostgresMembership } from '../../src/store/postgres/membership.ts'
import { releaseLevel } from '../../src/store/postgres/migrations/all.ts'
import { levelOfConnection, PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { contractPostgres } from '../../src/store/postgres/releases.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'

const process = { name: 'machine', release: '1.0.0' }
/** A removal that the next release makes once this one is gone. */
const next = { oldest: releaseLevel + 1, sql: 'DROP TABLE search_indexes' }
/** A removal that waits for releases before this one. */
const last = { oldest: releaseLevel, sql: 'DROP TABLE request_seconds' }

describeWith(['pg'], 'a removal of what an older release needs', () => {
  const use = async () => {
    const url = await useDatabase(await postgresTemplate())
    const pool = new PostgresPool({ url, connections: 2, timeouts: workTimeouts })
    onTestFinished(() => pool.close())
    return { url, pool }
  }

  test('waits for nodes that have not left, for processes that are connected, and for commands', async () => {
    const { url, pool } = await use()
    const node = randomUUID()
    const membership = createPostgresMembership(pool, { ...process, node, instance: randomUUID() })
    expect(await membership.register([])).toBe(true)
    const worker = await openCandidate({ url }, randomUUID(), { ...process, name: 'worker', role: 'work' })
    const contract = () => contractPostgres(pool, [last, next])
    // Nothing is older than this release; the next removal waits for both.
    expect(await contract()).toEqual({ isDone: false, older: [] })
    expect((await membership.beat({ mode: 'in', stepUs: 0 }))?.oldest).toBe(releaseLevel)
    expect((await contract()).older.toSorted()).toEqual(['machine (1.0.0)', 'worker (1.0.0)'])
    await worker.close()
    expect(await contract()).toEqual({ isDone: false, older: ['machine (1.0.0)'] })
    await membership.beat({ mode: 'left', stepUs: 0 })
    // The connections of this test are those of a command.
    expect(await contract()).toEqual({ isDone: false, older: ['a command on 127.0.0.1'] })
    const [row] = await pool.query(`SELECT to_regclass('search_indexes')::text AS kept,
      to_regclass('request_seconds') AS removed`)
    expect(row).toEqual({ kept: 'search_indexes', removed: null })
  })

  test('is followed by a refusal of older processes that register', async () => {
    const { url, pool } = await use()
    await pool.run('UPDATE schema SET version = $1, oldest = $1', [releaseLevel + 1])
    const membership = createPostgresMembership(pool, { ...process, node: randomUUID(), instance: randomUUID() })
    await expect(membership.register([])).rejects.toBeInstanceOf(NewerSchema)
    const count = async () =>
      (
        await pool.query(`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND ${levelOfConnection} = ${releaseLevel}`)
      ).length
    const before = await count()
    await expect(openCandidate({ url }, randomUUID(), { ...process, role: 'work' })).rejects.toThrow(
      `has schema version ${releaseLevel + 1}, and this Periplus knows versions up to ${releaseLevel}`,
    )
    // Its connection ends with the attempt: an open one would keep the process from ending.
    await expect.poll(count).toBeLessThanOrEqual(before)
    expect(await contractPostgres(pool, [last, next])).toEqual({ isDone: true, older: [] })
  })
})
