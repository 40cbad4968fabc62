import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { BlobStore } from '../src/domain/blob-store.ts'
import { openEnd } from '../src/domain/ledger.ts'
import { hourMs } from '../src/kit/time.ts'
import { createPostgresMembership } from '../src/store/postgres/membership.ts'
import type { PostgresPool } from '../src/store/postgres/pool.ts'
import { listJournalSync } from '../src/usage/journal-files.ts'
import { journalIn } from '../src/usage/journal-reader.ts'
import { createNodeRecords } from '../src/usage/node-records.ts'
import { sumUsage } from '../src/usage/query.ts'
import { someTimeMs } from '../src/usage/records.fixture.ts'
import { describeWith, useDatabase } from './engines.ts'
import { eventually } from './eventually.ts'
import { openJournalNode, saveLedger, sumUnits, useBlobs, usePool } from './journal-node.ts'
import { postgresTemplate } from './postgres-template.ts'

describeWith(['pg'], 'journals of nodes', () => {
  let pool: PostgresPool
  let blobs: BlobStore

  beforeEach(async () => {
    pool = usePool(await useDatabase(await postgresTemplate()))
    blobs = await useBlobs()
  })

  const open = () => openJournalNode(pool, blobs)
  const blobNames = async () => (await Array.fromAsync(blobs.list('journals/'))).map(({ key }) => key.split('/')[2]!)

  it('ships complete files once they are folded, and removes only these from a full folder', async () => {
    const node = await open()
    await node.call(10)
    await node.ship()
    expect(await blobNames()).toEqual([])
    await node.fold()
    await node.ship()
    const { file: writing } = await node.position()
    const folded = (await node.ledger.files()).filter(({ file, bytes }) => file < writing && bytes > 0)
    const shipped = await node.journals.shipped(node.node)
    expect(folded.length).toBeGreaterThan(1)
    expect(shipped.map(({ file, bytes }) => [file, bytes])).toEqual(folded.map(({ file, bytes }) => [file, bytes]))
    expect(await blobNames()).toHaveLength(folded.length)
    await node.call(1)
    await node.fold()
    await node.retain()
    expect(listJournalSync(node.folder).length).toBeLessThan(3)
    expect(await node.check()).toEqual([])
    expect(readdirSync(node.folder).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('folds shipped files again after commits were lost, and counts each call once (R-115)', async () => {
    const [node, other] = [await open(), await open()]
    await Promise.all([node.call(6), other.call(4)])
    await node.fold()
    const loseCommits = await saveLedger(pool)
    await node.call(9)
    await Promise.all([node.fold(), other.fold()])
    await Promise.all([node.ship(), other.ship()])
    await node.retain()
    await loseCommits()
    expect(await sumUnits(pool)).toBe(6)
    node.reopen()
    // A round lists the blobs, which still have what the database has forgotten; the next one folds it.
    await node.ship()
    await Promise.all([node.fold(), other.fold()])
    expect(await sumUnits(pool)).toBe(19)
    await Promise.all([node.ship(true), other.ship(true)])
    expect(await node.check()).toEqual([])
    expect(await other.check()).toEqual([])
  })

  it('proves the sums of all nodes, and names what it cannot reach (R-137)', async () => {
    const [node, other] = [await open(), await open()]
    await Promise.all([node.call(5), other.call(5)])
    await Promise.all([node.fold(), other.fold()])
    const { file } = await other.position()
    expect(await node.check()).toEqual([
      {
        file: `journals/${other.node}`,
        problem: `The journal of node ${other.node} is not reachable; its calls from ${new Date(someTimeMs).toISOString()} on are not proved.`,
      },
    ])
    await other.ship()
    await other.call(1)
    await other.fold()
    const after = file === (await other.position()).file ? file - 1 : file
    const [problem] = await node.check()
    expect(problem!.problem).toContain(`The journal of node ${other.node} after file ${after} is not reachable;`)

    // The running node ships what it has folded when the check asks for it.
    const before = await other.journals.lastRequest()
    const asked = node.check(60_000)
    await eventually(async () => expect(await other.journals.lastRequest()).toBeGreaterThan(before))
    await other.ship()
    expect(await asked).toEqual([])
  })

  it('finds damaged and missing shipped files, and sums that differ', async () => {
    const [node, other] = [await open(), await open()]
    await Promise.all([node.call(5), other.call(5)])
    await Promise.all([node.fold(), other.fold()])
    await Promise.all([node.ship(), other.ship()])
    const keys = (await Array.fromAsync(blobs.list(`journals/${other.node}/`))).map(({ key }) => key).sort()
    writeFileSync(join(blobs.name, keys[0]!), 'damaged')
    rmSync(join(blobs.name, keys[1]!))
    const problems = (await node.check()).map(({ problem }) => problem)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining('are not those that were shipped'),
        expect.stringContaining('is missing from'),
      ]),
    )
    expect((await other.check()).map(({ problem }) => problem)).toEqual(
      expect.arrayContaining([expect.stringContaining('are not those that were shipped')]),
    )
    await pool.run('UPDATE usage_slots SET units = units + 1')
    expect((await other.check()).some(({ problem }) => problem.includes('the roll-up by slot'))).toBe(true)
  })

  it('removes shipped files whose calls have expired, also of a node that is gone', async () => {
    const [node, gone] = [await open(), await open()]
    await gone.call(5)
    await gone.fold()
    await gone.ship()
    await gone.loseDisk()
    await node.fold()
    const files = await gone.journals.shipped(gone.node)
    const last = Math.max(...(await gone.ledger.files()).map(({ file }) => file))
    expect(await node.journals.expired(someTimeMs)).toEqual([])
    // Its last file could be continued.
    const expired = files.filter(({ file }) => file < last)
    expect(await node.journals.expired(someTimeMs + hourMs)).toEqual(expired)
    await node.expire(someTimeMs + hourMs)
    expect(await gone.journals.shipped(gone.node)).toEqual(files.filter(({ file }) => file === last))
    expect(await blobNames()).toHaveLength(files.length - expired.length)
    expect(expired.length).toBeGreaterThan(0)
  })

  it('sums parts of slots over all nodes, and names a journal that cannot be reached (R-140)', async () => {
    const [node, other] = [await open(), await open()]
    await Promise.all([node.call(3), other.call(7)])
    await Promise.all([node.fold(), other.fold()])
    const { journals } = node
    const span = { fromMs: someTimeMs + 1, toMs: someTimeMs + 5 }
    const sum = async (waitMs = 0) => {
      const others = createNodeRecords({ journals, blobs, waitMs, nowMs: () => someTimeMs })
      const shape = { by: [], timeZone: 'UTC', others }
      return (await sumUsage(journalIn(node.folder), node.ledger, span, shape)).calls
    }
    await expect(sum()).rejects.toThrow(`The journal of node ${other.node} is not reachable`)
    // The running node ships what it has folded when a report asks for it.
    const before = await other.journals.lastRequest()
    const asked = sum(60_000)
    await eventually(async () => expect(await other.journals.lastRequest()).toBeGreaterThan(before))
    await other.ship()
    expect(await asked).toBe(2 + 4)
    // What the blobs have of the open file may end before the period does.
    await other.call(1)
    await other.fold()
    await expect(sum()).rejects.toThrow('is not reachable')
    // Whole slots are sums of the ledger.
    const { calls } = await sumUsage(journalIn(node.folder), node.ledger, { fromMs: 0, toMs: openEnd })
    expect(calls).toBe(11)
  })

  it('knows the time before which all nodes have counted their calls, without those that have left (R-140)', async () => {
    const node = await open()
    const { journals } = node
    expect(await journals.foldedTo()).toBe(Number.POSITIVE_INFINITY)
    const join = async () => {
      const me = { node: randomUUID(), instance: randomUUID(), name: 'machine', release: '1.0.0' }
      const membership = createPostgresMembership(pool, me)
      await membership.register([])
      return membership
    }
    const [one, dead] = [await join(), await join()]
    await one.beat({ mode: 'in', stepUs: 0, foldedAgeMs: 1000 })
    expect(await journals.foldedTo()).toBe(0)
    const counted = async (foldedAgeMs?: number) => {
      await dead.beat({ mode: 'in', stepUs: 0, foldedAgeMs })
      return journals.foldedTo()
    }
    const earlier = await counted(hourMs)
    expect(earlier).toBeGreaterThan(someTimeMs)
    // A sign of life alone moves nothing.
    expect(await counted()).toBe(earlier)
    await dead.beat({ mode: 'left', stepUs: 0 })
    expect(await journals.foldedTo()).toBeGreaterThan(earlier)
    // A node that answered before limits were shared, and has ended without its last fold.
    await node.ledger.rebase([], someTimeMs, { startMs: someTimeMs, boot: undefined, behindMs: 0 })
    expect(await journals.foldedTo()).toBe(someTimeMs)
    await journals.markEnded(node.node)
    expect(await journals.foldedTo()).toBeGreaterThan(earlier)
  })
})
