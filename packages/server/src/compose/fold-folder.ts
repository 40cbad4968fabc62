import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { NodeAdmin } from '../domain/node-admin.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import { StoreError } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { dayMs } from '../kit/time.ts'
import { readJournalFolder } from '../store/folder/journal-folder.ts'
import { locateLocks } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { findNode } from '../store/folder/node-identity.ts'
import { RequestLogFill } from '../usage/fill-request-log.ts'
import type { FillOptions } from '../usage/fill-round.ts'
import { foldJournal } from '../usage/fold.ts'
import { Journal } from '../usage/journal.ts'
import { findLosses, journalDamageText, journalLossText } from '../usage/journal-losses.ts'
import { restoreStored } from '../usage/restore-stored.ts'
import { withFoldEvents } from './fold-events.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { openNodeJournal } from './node-journal.ts'

/** The folder of a node that does not live. */
export interface OrphanedFolder {
  readonly root: string
  readonly journal: string
  /** Id of the node. */
  readonly node: string
}

/** The journal of an orphaned folder after its fold. */
export interface FoldedFolder {
  /** Number of calls that were counted now. */
  readonly calls: number
  /** True if the blobs have the journal, so that its calls can be proved. */
  readonly isShipped: boolean
  /** Sentences about parts of the journal that are missing or damaged. */
  readonly problems: readonly string[]
}

/**
 * Returns the node of a folder if its journal may be folded in its absence. Throws StoreError for a folder of another
 * database or without a journal, and for one that is not the folder of a node or not its newest state.
 */
export async function findOrphan(nodes: NodeAdmin, folder: string): Promise<OrphanedFolder> {
  const root = resolve(folder)
  if (!existsSync(root)) throw new StoreError(`There is no folder ${root}.`)
  const found = findNode(root)
  if (!found)
    throw new StoreError(`${root} is not the data folder of a node: its file node.json is missing or damaged.`)
  const { folderId: node, database, instance, nextInstance, earlierInstances = [] } = found
  if (database !== (await nodes.database()))
    throw new StoreError(`The folder ${root} belongs to another database. Set store to that of its node.`)
  const journal = join(root, 'journal')
  const reading = readJournalFolder(journal)
  if (reading.state !== 'intact' || !reading.hasFiles) throw new StoreError(`The folder ${root} has no journal.`)
  if (reading.folderId !== node)
    throw new StoreError(`The journal in ${root} is not that of node ${node}. Put the journal of this node there.`)
  const known = await nodes.find(node)
  if (!known)
    throw new StoreError(
      `The database does not know node ${node} of ${root}: it may have been restored. Serve the folder to add the node.`,
    )
  if (known.state === 'forgotten')
    throw new StoreError(`Node ${node} of ${root} has been forgotten: what was lost of its journal was accepted.`)
  // A database that was restored knows an instance before the last one.
  if (known.instance !== undefined && ![instance, nextInstance, ...earlierInstances].includes(known.instance))
    throw new StoreError(
      `The folder ${root} is a copy or an older state of the folder of node ${node}, which has been served since. ` +
        'Use its newest folder.',
    )
  return { root, journal, node }
}

/**
 * Folds the journal of an orphaned folder, appends what was stored before its answers left, and copies the journal to
 * the blobs and to the request log. Safe to interrupt and rerun, and next to a start of the node: position and sums are
 * one transaction. The caller has checked that the node does not live.
 */
export async function foldFolder(
  { root, journal: folder, node }: OrphanedFolder,
  { keys, journals: all }: Pick<Engine, 'keys' | 'journals'>,
  config: Config,
): Promise<FoldedFolder> {
  const lock = holdLock(locateLocks(root).serve, `The folder ${root} is being served. Stop this process first.`)
  try {
    const journals: NodeJournals = { ...all!, node }
    const { journal, shipping } = openNodeJournal(folder, journals, findLazyBlobs(config))
    const ledger = withFoldEvents(journals.ledgerOf(node), keys, config)
    const before = await countCalls(ledger)
    const { damages } = await foldJournal(journal, ledger, { hasStored: true })
    if ((await journals.stored(node)).length > 0) {
      const writer = new Journal(folder, { known: await ledger.files() })
      await restoreStored(writer, journal, ledger, journals).finally(() => writer.close())
    }
    const files = new Map((await ledger.files()).map(file => [file.file, file]))
    await shipping?.run({ files, writing: Math.max(...files.keys()), isLast: true })
    await fillRequestLog({ journal, ledger, log: journals.requestLogOf(node) }, config)
    return {
      calls: (await countCalls(ledger)) - before,
      isShipped: shipping !== undefined,
      problems: [
        ...findLosses(files, await journal.scan()).map(journalLossText),
        ...damages.map(damage => `${journalDamageText(damage)} The calls in them are lost.`),
      ],
    }
  } finally {
    lock.release()
  }
}

/** Copies to the request log what it does not have of a journal. */
async function fillRequestLog(
  parts: Pick<FillOptions, 'journal' | 'ledger' | 'log'>,
  { requests }: Pick<Config, 'requests'>,
): Promise<void> {
  const bounds = { keepMs: requests.keepDays * dayMs, maxBytes: requests.maxMb * 1024 * 1024 }
  const fill = new RequestLogFill({ ...parts, ...bounds, nowMs: systemClock.nowMs })
  let copied: number
  do copied = await fill.run()
  while (copied > 0)
}

const countCalls = async (ledger: Ledger): Promise<number> =>
  (await ledger.files()).reduce((sum, { calls }) => sum + calls, 0)
