import { truncateSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { BlobStore } from '../src/domain/blob-store.ts'
import type { PostgresPool } from '../src/store/postgres/pool.ts'
import { encodeBatches } from '../src/usage/batch-writer.ts'
import { Journal } from '../src/usage/journal.ts'
import { listJournalSync } from '../src/usage/journal-files.ts'
import { journalIn } from '../src/usage/journal-reader.ts'
import { record, someTimeMs } from '../src/usage/records.fixture.ts'
import { foldLostNode, restoreStored } from '../src/usage/restore-stored.ts'
import { batchId } from '../src/usage/stored-turns.ts'
import { describeWith, useDatabase } from './engines.ts'
import { type JournalNode, openJournalNode, sumUnits, useBlobs, useFolder, usePool } from './journal-node.ts'
import { postgresTemplate } from './postgres-template.ts'

/** Steps of a node before its disk is lost. */
const histories: readonly (readonly ('call' | 'fold' | 'ship')[])[] = [
  ['call'],
  ['call', 'fold', 'call'],
  ['call', 'call', 'fold', 'ship', 'call'],
  ['call', 'fold', 'ship', 'call', 'fold', 'call'],
]

describeWith(['pg'], 'journals whose batches are stored before answers', () => {
  let pool: PostgresPool
  let blobs: BlobStore

  beforeEach(async () => {
    pool = usePool(await useDatabase(await postgresTemplate()))
    blobs = await useBlobs()
  })

  const countStored = async () =>
    Number((await pool.query<{ n: bigint }>('SELECT count(*) AS n FROM usage_records'))[0]!.n)

  /** Stores a batch without writing it, as a process does that is killed in between. */
  const storeOnly = ({ journals }: JournalNode) => {
    const batch = encodeBatches([record({ timeMs: someTimeMs })])
    return journals.batches.add(batchId(batch), batch)
  }

  it('loses no answered unit with the disk of a killed node (R-115)', async () => {
    const survivor = await openJournalNode(pool, blobs)
    let answered = 0
    for (const history of histories) {
      const node = await openJournalNode(pool, blobs, true)
      for (const step of history) {
        if (step === 'fold') await node.fold()
        else if (step === 'ship') await node.ship(true)
        else {
          await node.call(3)
          answered += 3
        }
      }
      await storeOnly(node)
      await node.loseDisk()
      const folder = useFolder()
      await foldLostNode(survivor.journals, blobs, node.node, folder)
      // A run after a completed one, as after a kill between its steps, adds nothing.
      expect(await foldLostNode(survivor.journals, blobs, node.node, folder)).toBe(0)
      expect(await sumUnits(pool)).toBe(answered + 1)
      answered++
    }
    expect(await countStored()).toBe(0)
    // What was folded and not shipped is in the sums, and only its details are lost.
    const problems = (await survivor.check()).map(({ problem }) => problem)
    expect(problems.every(problem => problem.includes('is not reachable'))).toBe(true)
  })

  it('appends at a start what the journal has lost, and counts it once', async () => {
    const node = await openJournalNode(pool, blobs, true)
    await node.call(4)
    await node.fold()
    expect(await countStored()).toBe(0)
    await node.call(1)
    await node.stop()
    // A power failure takes the end of the file that was not on the disk yet.
    const last = listJournalSync(node.folder).at(-1)!
    const folded = (await node.ledger.files()).find(({ file }) => file === last.number)?.bytes ?? 0
    truncateSync(last.path, folded)
    const next = new Journal(node.folder, { known: await node.ledger.files(), store: node.journals.batches })
    try {
      const restore = () => restoreStored(next, journalIn(node.folder), node.ledger, node.journals)
      expect((await restore())?.losses).toEqual([])
      expect(await sumUnits(pool)).toBe(5)
      expect(await countStored()).toBe(0)
      expect(await restore()).toBeUndefined()
      expect(await node.check()).toEqual([])
    } finally {
      await next.close()
    }
  })
})
