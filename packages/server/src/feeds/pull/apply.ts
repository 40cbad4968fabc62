import { rmSync } from 'node:fs'
import type { Manifest } from '../../domain/feed.ts'
import { ResultChecksum } from './checksum.ts'
import type { FeedClient } from './client.ts'
import { Downloads } from './downloads.ts'
import { digestOf, merge } from './merge.ts'
import { Newest } from './newest.ts'
import { ChangedResult, Mismatch } from './outcome.ts'
import { keyKindOf } from './record-key.ts'
import { Records } from './records.ts'
import { ResultFile } from './result-file.ts'
import type { ResultFiles, ResultState } from './result-state.ts'
import { sectionOf, sectionsOf } from './sections.ts'

/** Told how far a pass is: bytes that arrived and bytes that were worked off, and lines. */
export type Step = (bytes: number, lines: number) => void

/** One pass: a full, or the result that is there, and deltas on it. */
export interface Pass {
  readonly base: Manifest | ResultState
  readonly deltas: readonly Manifest[]
}

const isFull = (base: Manifest | ResultState): base is Manifest => 'files' in base

/** What a pass will tell its steps in the end, in bytes. */
export function bytesOf({ base, deltas }: Pass): number {
  const packed = [...(isFull(base) ? [base] : []), ...deltas].reduce((sum, manifest) => sum + packedBytes(manifest), 0)
  return 2 * packed + (isFull(base) ? 0 : base.bytes)
}

export const packedBytes = (manifest: Manifest): number => manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Makes the result of the last snapshot of a pass and puts it in place of the one before, once all of it is proved:
 * bytes and SHA-256 of each part, its records and ids, the checksum of what it began with, and that of the result.
 */
export async function applyPass(client: FeedClient, files: ResultFiles, pass: Pass, step: Step): Promise<ResultState> {
  const { base, deltas } = pass
  const kind = keyKindOf(base.feed)
  let [bytes, lines] = [0, 0]
  const worked = (more: number) => {
    bytes += more
    step(bytes, lines)
  }
  const downloads = new Downloads(client, files, worked)
  const changes = deltas.map(delta => new Records(sectionsOf(downloads.partsOf(delta), worked), kind))
  const start = isFull(base)
    ? new Records(sectionsOf(downloads.partsOf(base), worked), kind)
    : new Records(sectionOf(files.result, files.result, worked), kind, sentence => new ChangedResult(sentence))
  try {
    const result = await ResultFile.create(files.next)
    try {
      const merged = await merge(start, new Newest(changes), result, read => {
        lines = read
      })
      if (isFull(base)) checkCounts(base, start)
      deltas.forEach((delta, i) => {
        checkCounts(delta, changes[i]!)
      })
      checkResult(base, merged.base)
      checkResult(deltas.at(-1) ?? base, merged.result)
      await result.finish()
    } finally {
      await result.close()
    }
    const last = deltas.at(-1) ?? base
    return files.replaceBy(last as Manifest)
  } finally {
    await downloads.stop()
    await Promise.all([start, ...changes].map(records => records.close()))
    rmSync(files.next, { force: true })
  }
}

/** Whether the file that is there is the result that its state says. */
export async function isWhole(files: ResultFiles, state: ResultState): Promise<boolean> {
  const checksum = new ResultChecksum()
  const records = new Records(
    sectionOf(files.result, files.result, () => {}),
    keyKindOf(state.feed),
    sentence => new ChangedResult(sentence),
  )
  try {
    while (records.tryNext() || (await records.more())) checksum.add(records.key, digestOf(records))
    checkResult(state, checksum)
    return true
  } catch (error) {
    if (error instanceof ChangedResult) return false
    throw error
  }
}

function checkCounts(manifest: Manifest, found: Records): void {
  const { snapshot_id: id, kind, records, tombstones } = manifest
  const promised = kind === 'full' ? 0 : tombstones
  if (found.records !== records || found.tombstones !== promised)
    throw new Mismatch(
      `${id} has ${found.records} lines, ${found.tombstones} of them tombstones, where its manifest says ${records} and ${promised}.`,
    )
}

function checkResult(promised: Manifest | ResultState, found: ResultChecksum): void {
  const { snapshot_id: id, checksum_of_result } = promised
  const checksum = found.digest()
  if (checksum === checksum_of_result && found.records === recordsOf(promised)) return
  const sentence = `The result of ${id} has ${found.records} records and the checksum ${checksum}, where ${recordsOf(promised)} and ${checksum_of_result} were promised.`
  throw isState(promised) ? new ChangedResult(sentence) : new Mismatch(sentence)
}

const isState = (promised: Manifest | ResultState): promised is ResultState => !isFull(promised)
const recordsOf = (promised: Manifest | ResultState): number =>
  isState(promised) ? promised.records : promised.records_of_result
