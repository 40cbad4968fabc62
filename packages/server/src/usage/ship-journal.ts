import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { BlobStore } from '../domain/blob-store.ts'
import type { FoldedFile } from '../domain/ledger.ts'
import type { NodeJournals, ShippedFile } from '../domain/node-journals.ts'
import { hourMs } from '../kit/time.ts'
import { findEndOfLastBatch } from './batch-frame.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import { readContents } from './journal-reader.ts'
import { findShipped, sha256Of, shippedKey } from './shipped-journal.ts'

const compress = promisify(zstdCompress)

/** Name of the file that is being shipped, in the journal's folder. */
const draftName = 'shipping.tmp'

/** Dependencies of `JournalShipping`. */
export interface ShippingParts {
  /** The journal's folder. */
  readonly folder: string
  readonly journals: NodeJournals
  readonly blobs: BlobStore
  readonly nowMs: () => number
}

/** A round of shipping. */
export interface ShippingRound {
  /** The files as far as the ledger has them. */
  readonly files: ReadonlyMap<number, FoldedFile>
  /** Number of the file that is being written. */
  readonly writing: number
  /** True at the end of the process. */
  readonly isLast?: boolean
}

/**
 * Copies the journal of this node to the blobs: each complete file once the ledger has all of it, and what the
 * ledger has of the file that is being written every hour, when a verification asks for it, and at the end.
 */
export class JournalShipping {
  readonly #parts: ShippingParts
  /** The shipped files by number; undefined before the blobs have been listed. */
  #shipped: Map<number, ShippedFile> | undefined
  #listedMs = 0
  #answeredRequest = 0

  constructor(parts: ShippingParts) {
    this.#parts = parts
  }

  /** Returns true if the blobs have all of a file that the ledger has. */
  has({ file, bytes }: Pick<FoldedFile, 'file' | 'bytes'>): boolean {
    return (this.#shipped?.get(file)?.bytes ?? -1) >= bytes
  }

  /** Returns the files of this node in the blobs, without asking these: a fold does not depend on them. */
  async list(): Promise<readonly ShippedFile[]> {
    const { journals } = this.#parts
    return this.#shipped ? [...this.#shipped.values()] : journals.shipped(journals.node)
  }

  /** Ships what a round requires. Safe to interrupt and rerun: a key is named by the contents. */
  async run({ files, writing, isLast = false }: ShippingRound): Promise<void> {
    const { folder, journals, nowMs } = this.#parts
    const request = await journals.lastRequest()
    const isDue = Math.abs(nowMs() - this.#listedMs) >= hourMs
    if (isDue || !this.#shipped) this.#shipped = await this.#find()
    const withOpen = isLast || isDue || request !== this.#answeredRequest
    for (const file of await listJournal(folder)) {
      const folded = files.get(file.number)
      if (folded?.state !== 'present' || folded.bytes === 0 || this.has(folded)) continue
      // What was stripped of unbilled calls before there were blobs stays in the folder.
      if (file.form !== 'billedOnly' && (file.number < writing || withOpen)) await this.#ship(file, folded)
    }
    this.#answeredRequest = request
    if (isDue) this.#listedMs = nowMs()
    if (isLast && (await isFolded(folder, files))) await journals.markEnded(journals.node)
  }

  /** Removes the shipped files of all nodes whose calls are all older than a time; any node may do so. */
  async dropExpired(beforeMs: number): Promise<void> {
    const { journals, blobs } = this.#parts
    for (const file of await journals.expired(beforeMs)) {
      await blobs.delete(shippedKey(file))
      await journals.removeExpired(file)
      if (file.node === journals.node) this.#shipped?.delete(file.file)
    }
  }

  async #find(): Promise<Map<number, ShippedFile>> {
    const { journals, blobs } = this.#parts
    return new Map((await findShipped(journals, blobs, journals.node)).map(file => [file.file, file]))
  }

  async #ship(file: JournalFile, { bytes }: FoldedFile): Promise<void> {
    const { folder, journals, blobs } = this.#parts
    const contents = (await readContents(file)).subarray(0, bytes)
    // A file that was shortened is a loss, which the fold reports.
    if (contents.length < bytes) return
    const next = { node: journals.node, file: file.number, bytes, sha256: sha256Of(contents) }
    await putShipped(blobs, next, contents, join(folder, draftName))
    await journals.addShipped(next)
    const before = this.#shipped!.get(file.number)
    this.#shipped!.set(file.number, next)
    if (before) await blobs.delete(shippedKey(before))
  }
}

/** Returns true if the ledger has all calls of a journal. */
async function isFolded(folder: string, files: ShippingRound['files']): Promise<boolean> {
  for (const file of await listJournal(folder)) {
    const rest = file.form === 'plain' ? await readContents(file, files.get(file.number)?.bytes) : undefined
    // A kill may have left an incomplete batch, whose calls were not answered.
    if (rest && findEndOfLastBatch(rest) > 0) return false
  }
  return true
}

/** Stores the contents of a file in the blobs. `draft` is the path of a file that may be written. */
export async function putShipped(blobs: BlobStore, file: ShippedFile, contents: Buffer, draft: string): Promise<void> {
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(await compress(contents))
  } finally {
    await handle.close()
  }
  try {
    await blobs.put(shippedKey(file), draft, { onlyIfAbsent: true })
  } finally {
    await rm(draft, { force: true })
  }
}
