import { createPublicKey, type KeyObject } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import type { Manifest, SnapshotKind } from '../domain/feed.ts'
import type { WithheldBuild } from '../domain/feed-build.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import type { BuildContext } from './build-context.ts'
import { compare } from './compare.ts'
import { DamagedDigests, DigestReader } from './digest-reader.ts'
import { abandonDrafts, type CompletedDrafts, completeDrafts, createDraftWriter, openDrafts } from './drafts.ts'
import type { PlannedEdition } from './editions.ts'
import { findReasonToWithhold } from './guard.ts'
import {
  cleanEdition,
  deleteObsolete,
  type EditionHistory,
  findResult,
  type PastSnapshot,
  readHistory,
  readOrigin,
} from './history.ts'
import { isSigned } from './manifest.ts'
import { publish } from './publish.ts'
import { createFeedRecords, type FeedRecords } from './records.ts'
import { lacksFull } from './retention.ts'
import { UnusableSigningKey } from './signing-key.ts'
import { editionFolder } from './snapshot-files.ts'
import { asNoSpace, checkSpace, estimateBuildBytes } from './space.ts'
import { clearWithheld, recordWithheld } from './withheld.ts'

/** Options of the build of one edition. */
export interface EditionBuildOptions {
  /** Receives the number of records read; `total` is undefined if only changed records are read. */
  onProgress?(done: number, total: number | undefined): void
  /** Receives each damaged file of an earlier snapshot; the build continues without it. */
  onDamaged?(file: string): void
}

/** The manifests of the new snapshots in order, or the reason why they are withheld. */
export type EditionBuild = { readonly manifests: readonly Manifest[] } | { readonly withheld: WithheldBuild }

/**
 * Builds one edition: a delta; or a full snapshot, preceded by the delta that leads to it unless nothing changed
 * . Builds a full snapshot alone if there is no previous result, or it is damaged. The caller holds the build
 * lock.
 */
export async function buildEdition(
  context: BuildContext,
  edition: PlannedEdition,
  kind: SnapshotKind,
  options: EditionBuildOptions = {},
): Promise<EditionBuild> {
  const { atMs, signingKey, force } = context
  const { root } = context.workspace
  const key = createPublicKey(signingKey)
  mkdirSync(editionFolder(root, edition), { recursive: true })
  const { ended, history } = cleanEdition(root, edition, key, formatTimestamp(atMs))
  if (!force) requireSameKey(root, key, history)
  for (const file of ended) options.onDamaged?.(file)
  const neededKind = ended.length > 0 && lacksFull(root, edition) ? 'full' : kind
  try {
    return await buildAfter(history, context, edition, neededKind, options)
  } catch (error) {
    if (!(error instanceof DamagedDigests)) throw error
    options.onDamaged?.(error.file)
    rmSync(error.file)
    return buildAfter(readHistory(root, edition), context, edition, neededKind, options)
  }
}

async function buildAfter(
  history: EditionHistory,
  context: BuildContext,
  edition: PlannedEdition,
  kind: SnapshotKind,
  { onProgress }: EditionBuildOptions,
): Promise<EditionBuild> {
  const { source, origin, force } = context
  const { root } = context.workspace
  const { newest } = history
  const base = newest && (await findResult(newest, context.workspace))
  const withFull = kind === 'full' || !base
  const records = createFeedRecords(source, edition.feed, edition.presenters, origin.publicUrl)
  const changesSince = withFull || !newest ? undefined : await findChangesSince(newest, context, records)

  const total = changesSince === undefined ? await records.count() : undefined
  const home = editionFolder(root, edition)
  const needed = estimateBuildBytes(total ?? newest!.manifest.records_of_result, history, withFull)
  checkSpace(home, needed, edition)

  const drafts = await openDrafts(context, edition, { withFull, withDelta: base !== undefined })
  const before = base === undefined ? undefined : openResult(newest!, base)
  try {
    const lines = changesSince === undefined ? records.all() : records.changedAfter!(changesSince)
    await compare(lines, {
      before,
      result: drafts.result,
      partial: changesSince !== undefined,
      observer: createDraftWriter(context, records, drafts, done => onProgress?.(done, total)),
    })
    const deletions = drafts.delta?.deletions
    const withheld = force ? undefined : decideToWithhold(context, edition, history, drafts.result.records, deletions)
    if (!withheld) return { manifests: publishAll(context, edition, history, await completeDrafts(drafts)) }
    await abandonDrafts(drafts)
    return { withheld }
  } catch (error) {
    await abandonDrafts(drafts)
    throw asNoSpace(error, home, needed, edition)
  } finally {
    before?.close()
  }
}

/** Throws UnusableSigningKey if another key signed the snapshots: partners would not trust the new one. */
function requireSameKey(root: string, key: KeyObject, { snapshots }: EditionHistory): void {
  if (snapshots.length > 0 && !snapshots.some(({ bytes }) => isSigned(bytes, key)))
    throw new UnusableSigningKey(root, 'other')
}

/** Opens the digests of a snapshot's result. */
const openResult = ({ manifest }: PastSnapshot, file: string): DigestReader =>
  new DigestReader(file, {
    wordIds: manifest.feed === 'enums',
    records: manifest.records_of_result,
    checksum: manifest.checksum_of_result,
  })

/**
 * Returns the change number after which records may differ from the newest snapshot; undefined if any record may
 * differ.
 */
async function findChangesSince(
  newest: PastSnapshot,
  { source, origin }: BuildContext,
  records: FeedRecords,
): Promise<number | undefined> {
  const then = readOrigin(newest)
  const isSameStore = then?.storeId === undefined || then.storeId === source.storeId
  const isComparable = isSameStore && then?.publicUrl === origin.publicUrl && then.release === origin.release
  if (!isComparable || !records.changedAfter) return undefined
  return (await source.follows(then.moment)) ? then.moment.seq : undefined
}

/**
 * Decides whether the edition is withheld, and records it. Without a delta, `deletions` is undefined and the
 * numbers of records are compared.
 */
function decideToWithhold(
  { workspace: { root }, source, atMs }: BuildContext,
  { feed, version }: PlannedEdition,
  { newest, snapshots }: EditionHistory,
  resultRecords: number,
  knownDeletions: number | undefined,
): WithheldBuild | undefined {
  const previous = newest ?? snapshots.at(-1)
  if (!previous) return undefined
  const records = previous.manifest.records_of_result
  const deletions = knownDeletions ?? Math.max(0, records - resultRecords)
  const reason = findReasonToWithhold(previous, { deletions, storeId: source.storeId })
  return reason && recordWithheld(root, { feed, version, reason, deletions, records, triedMs: atMs })
}

/** Publishes the drafts in order. */
function publishAll(
  context: BuildContext,
  edition: PlannedEdition,
  history: EditionHistory,
  { drafts, result }: CompletedDrafts,
): Manifest[] {
  let current = history
  const manifests = drafts.map(({ draft, contents }) => {
    const manifest = publish(context, edition, current, draft, contents, result)
    current = readHistory(context.workspace.root, edition)
    deleteObsolete(current)
    return manifest
  })
  clearWithheld(context.workspace.root, edition)
  return manifests
}
