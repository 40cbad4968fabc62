import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { checkJournals } from '../src/compose/check-journals.ts'
import { openNodeJournal } from '../src/compose/node-journal.ts'
import type { BlobStore } from '../src/domain/blob-store.ts'
import { openBlobs } from '../src/store/blobs/open.ts'
import { addNode, createPostgresLedger } from '../src/store/postgres/ledger.ts'
import { createPostgresJournals } from '../src/store/postgres/node-journals.ts'
import { PostgresPool, workTimeouts } from '../src/store/postgres/pool.ts'
import { performOn } from '../src/store/postgres/sql-database.ts'
import { JournalFold } from '../src/usage/fold.ts'
import { Journal } from '../src/usage/journal.ts'
import { parseCursor } from '../src/usage/journal-position.ts'
import { record, someTimeMs } from '../src/usage/records.fixture.ts'
import { applyRetention } from '../src/usage/retention.ts'

/** Creates a folder that is removed after the test. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-journals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens blobs in a folder for one test. */
export const useBlobs = (): Promise<BlobStore> => openBlobs({ kind: 'folder', path: useFolder() })

/** Opens a pool of a database for one test. */
export function usePool(url: string): PostgresPool {
  const pool = new PostgresPool({ url, connections: 4, timeouts: workTimeouts })
  onTestFinished(() => pool.close())
  return pool
}

/** A node with a journal in a folder of its own, whose parts a test drives step by step. */
export async function openJournalNode(
  pool: PostgresPool,
  blobs: BlobStore,
  isStored = false,
  folder: string = useFolder(),
) {
  const node = randomUUID()
  await pool.use(session => performOn(session, addNode(node)))
  const ledger = createPostgresLedger(pool, { node, instance: undefined })
  const journals = createPostgresJournals(pool, pool, node)
  const store = isStored ? journals.batches : undefined
  const journal = new Journal(folder, { rotateBytes: 500, store })
  let isOpen = true
  const close = async () => {
    if (isOpen) await journal.close()
    isOpen = false
  }
  onTestFinished(close)
  // A new process of the node knows only what folder, database and blobs have.
  const open = () => {
    const opened = openNodeJournal(folder, journals, blobs)
    return { ...opened, shipping: opened.shipping!, fold: new JournalFold(opened.journal, ledger) }
  }
  let parts = open()
  return {
    node,
    folder,
    journal,
    ledger,
    journals,
    reopen: () => {
      parts = open()
    },
    /** Records calls of a unit each, one for each batch. */
    call: async (calls: number) => {
      for (let i = 0; i < calls; i++) await journal.append(record({ timeMs: someTimeMs + i }))
    },
    fold: () => parts.fold.run({ hasStored: isStored }),
    stop: close,
    ship: async (isLast = false) => {
      const files = new Map((await ledger.files()).map(file => [file.file, file]))
      await parts.shipping.run({ files, writing: journal.end().file, isLast })
    },
    /** Removes all files from the folder that the blobs have, as a journal above its maximum size does. */
    retain: async () => {
      const files = new Map((await ledger.files()).map(file => [file.file, file]))
      return applyRetention(folder, {
        foldedUpTo: await ledger.position(),
        nowMs: someTimeMs,
        maxBytes: 0,
        isShipped: number => parts.shipping.has(files.get(number)!),
      })
    },
    expire: (beforeMs: number) => parts.shipping.dropExpired(beforeMs),
    /** Ends the writer as a lost machine does, with its folder. */
    loseDisk: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
    check: (waitMs = 0) => checkJournals({ ledger, journals }, folder, blobs, waitMs),
    position: async () => parseCursor(await ledger.position()),
  }
}

export type JournalNode = Awaited<ReturnType<typeof openJournalNode>>

/** Returns the sum of all units in the ledger. */
export async function sumUnits(pool: PostgresPool): Promise<number> {
  const [row] = await pool.query<{ units: string | null }>('SELECT sum(units) AS units FROM usage_days')
  return Number(row!.units ?? 0)
}

const ledgerTables = [
  'usage_position',
  'usage_files',
  'usage_slots',
  'usage_eighths',
  'usage_days',
  'limit_states',
  'journal_files',
]

/** Remembers the ledger; the returned function restores it, as a fail-over that loses commits does. */
export async function saveLedger(pool: PostgresPool): Promise<() => Promise<void>> {
  await pool.exec(ledgerTables.map(name => `CREATE TABLE saved_${name} AS TABLE ${name};`).join('\n'))
  return () =>
    pool.exec(ledgerTables.map(name => `TRUNCATE ${name}; INSERT INTO ${name} SELECT * FROM saved_${name};`).join('\n'))
}
