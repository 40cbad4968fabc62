import { rmSync } from 'node:fs'
import type { Manifest } from '../../domain/feed.ts'
import { ResultChecksum } from './checksum.ts'
import type { FeedClient } from './client.ts'
import { DownloadQueue } from './download-queue.ts'
import { hashLine, merge } from './merge.ts'
import { NewestChanges } from './newest-changes.ts'
import { ChangedResult, Mismatch } from './outcome.ts'
import { getKeyKind } from './record-key.ts'
import { Records } from './records.ts'
import { ResultFile } from './result-file.ts'
import type { ResultFiles, ResultState } from './result-state.ts'
import { readSection, readSections } from './sections.ts'

/** Receives the progress of a pass: the sum of bytes downloaded and processed, and the number of lines processed. */
export type PassProgress = (bytes: number, lines: number) => void

/** One pass over a base, which is a full snapshot or the existing result, and the deltas to apply to it. */
export interface Pass {
  readonly base: Manifest | ResultState
  readonly deltas: readonly Manifest[]
}

const isFull = (base: Manifest | ResultState): base is Manifest => 'files' in base

/** Returns the final byte count that `PassProgress` receives. */
export function totalBytes({ base, deltas }: Pass): number {
  const snapshots = [...(isFull(base) ? [base] : []), ...deltas]
  const compressed = snapshots.reduce((sum, manifest) => sum + compressedBytes(manifest), 0)
  return 2 * compressed + (isFull(base) ? 0 : base.bytes)
}

/** Returns the size of a snapshot's files. */
export const compressedBytes = (manifest: Manifest): number => manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Builds the result of the last snapshot of a pass, and replaces the previous result after verifying the size and
 * SHA-256 of each part, its records and ids, the checksum of the base, and the checksum of the result.
 */
export async function applyPass(
  client: FeedClient,
  files: ResultFiles,
  pass: Pass,
  progress: PassProgress,
): Promise<ResultState> {
  const { base, deltas } = pass
  let [bytes, lines] = [0, 0]
  const addBytes = (more: number) => {
    bytes += more
    progress(bytes, lines)
  }
  const queue = new DownloadQueue(client, files, addBytes)
  const inputs = openInputs(files, pass, queue, addBytes)
  try {
    await writeResult(files, pass, inputs, read => {
      lines = read
    })
    return files.replaceBy((deltas.at(-1) ?? base) as Manifest)
  } finally {
    await queue.stop()
    await Promise.all([inputs.base, ...inputs.changes].map(records => records.close()))
    rmSync(files.next, { force: true })
  }
}

/** Records to merge in a pass. */
interface Inputs {
  readonly base: Records
  readonly changes: readonly Records[]
}

/**
 * Opens the records of a pass. The deltas are queued before a full snapshot, so that the parts of the full snapshot,
 * the largest download, are processed while the next ones arrive.
 */
function openInputs(
  files: ResultFiles,
  { base, deltas }: Pass,
  queue: DownloadQueue,
  addBytes: (bytes: number) => void,
): Inputs {
  const kind = getKeyKind(base.feed)
  const changes = deltas.map(delta => new Records(readSections(queue.add(delta, delta.files), addBytes), kind))
  const start = isFull(base)
    ? new Records(readSections(queue.add(base, base.files), addBytes), kind)
    : new Records(readSection(files.result, files.result, addBytes), kind, message => new ChangedResult(message))
  return { base: start, changes }
}

/** Merges the inputs into the file `next`, syncs it, and checks all counts and checksums. */
async function writeResult(
  files: ResultFiles,
  { base, deltas }: Pass,
  inputs: Inputs,
  progress: (lines: number) => void,
): Promise<void> {
  const result = await ResultFile.create(files.next)
  try {
    const checksums = await merge(inputs.base, new NewestChanges(inputs.changes), result, progress)
    if (isFull(base)) checkCounts(base, inputs.base)
    for (const [i, delta] of deltas.entries()) checkCounts(delta, inputs.changes[i]!)
    checkResult(base, checksums.base)
    checkResult(deltas.at(-1) ?? base, checksums.result)
    await result.finish()
  } finally {
    await result.close()
  }
}

/** Returns true if the content of the result file matches its state. */
export async function isIntact(files: ResultFiles, state: ResultState): Promise<boolean> {
  const checksum = new ResultChecksum()
  const records = new Records(
    readSection(files.result, files.result, () => {}),
    getKeyKind(state.feed),
    message => new ChangedResult(message),
  )
  try {
    while (records.tryNext() || (await records.more())) checksum.add(records.key, hashLine(records))
    checkResult(state, checksum)
    return true
  } catch (error) {
    if (error instanceof ChangedResult) return false
    throw error
  }
}

function checkCounts(manifest: Manifest, found: Records): void {
  const { snapshot_id: id, kind, records, tombstones } = manifest
  const expected = kind === 'full' ? 0 : tombstones
  if (found.records !== records || found.tombstones !== expected)
    throw new Mismatch(
      `${id} has ${found.records} lines, ${found.tombstones} of them tombstones, but its manifest lists ${records} and ${expected}.`,
    )
}

function checkResult(expected: Manifest | ResultState, found: ResultChecksum): void {
  const { snapshot_id: id, checksum_of_result } = expected
  const checksum = found.digest()
  if (checksum === checksum_of_result && found.records === recordCount(expected)) return
  const message = `The result of ${id} has ${found.records} records and the checksum ${checksum}, but ${recordCount(expected)} and ${checksum_of_result} were expected.`
  throw isState(expected) ? new ChangedResult(message) : new Mismatch(message)
}

const isState = (expected: Manifest | ResultState): expected is ResultState => !isFull(expected)
const recordCount = (expected: Manifest | ResultState): number =>
  isState(expected) ? expected.records : expected.records_of_result
