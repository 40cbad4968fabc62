import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { createReadStream, existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderProblem } from '../domain/data-folder.ts'
import { type Edition, listParts, type SnapshotPart, signingKeyText } from '../domain/feed.ts'
import { DamagedDigests, DigestReader, type DigestsFormat } from './digest-reader.ts'
import { watermarkFile } from './erasure.ts'
import {
  type EditionHistory,
  type LastPublished,
  lastFile,
  type PastSnapshot,
  readHistory,
  readOrigin,
} from './history.ts'
import { listEditions } from './list-editions.ts'
import { computeKeyId, isSigned } from './manifest.ts'
import { readSigningKey, signingKeyFile } from './signing-key.ts'
import { editionFolder, isFile, readJsonFile } from './snapshot-files.ts'
import { digestsName, goneName, manifestName, resultName, sourceName } from './snapshot-names.ts'

/**
 * Checks the snapshots of a `feeds` folder: manifests and signatures, and unless these are blobs, parts and the files
 * from which deltas are built. Returns each problem with the path of its file. A service may run concurrently.
 */
export async function checkFeeds(root: string, { areBlobs = false } = {}): Promise<FolderProblem[]> {
  const found: FolderProblem[] = []
  const editions = listEditions(root).filter(edition => readHistory(root, edition).lastSequence > 0)
  const key = readSigningKey(root)
  const keyFile = signingKeyFile(root)
  if (key === 'damaged' || (!key && editions.length > 0))
    found.push({
      file: keyFile,
      problem: `${signingKeyText('The signing key', key ?? 'missing')} Restore it from a backup.`,
    })
  const publicKey = key && key !== 'damaged' ? createPublicKey(key.publicPem) : undefined
  for (const edition of editions) found.push(...(await checkEdition(root, edition, publicKey, areBlobs)))
  if (isDamagedJson(watermarkFile(root)))
    found.push({ file: watermarkFile(root), problem: 'The file is damaged. The next build replaces it.' })
  return found
}

async function checkEdition(
  root: string,
  edition: Edition,
  key: KeyObject | undefined,
  areBlobs: boolean,
): Promise<FolderProblem[]> {
  const history = readHistory(root, edition)
  const found: FolderProblem[] = history.damaged.map(folder => ({
    file: join(folder, manifestName),
    problem: 'The manifest is damaged. The next build replaces its snapshot.',
  }))
  if (
    existsSync(lastFile(root, edition)) &&
    !Number.isSafeInteger(readJsonFile<LastPublished>(lastFile(root, edition))?.sequence)
  )
    found.push({ file: lastFile(root, edition), problem: 'The file is damaged. The next build replaces it.' })
  if (!history.newest && history.damaged.length === 0)
    found.push({
      file: editionFolder(root, edition),
      problem: `The snapshot with the sequence number ${history.lastSequence} is missing or was damaged. The next build makes a full snapshot.`,
    })
  for (const id of history.ids) {
    const file = join(editionFolder(root, edition), id, goneName)
    if (isDamagedJson(file)) found.push({ file, problem: 'The file is damaged. Its snapshot remains withdrawn.' })
  }
  for (const past of history.snapshots) {
    const problems = await checkSnapshot(past, history, key, areBlobs)
    // The service may have ended the snapshot while it was read.
    if (past.gone || !existsSync(join(past.folder, goneName))) found.push(...problems)
  }
  return found
}

async function checkSnapshot(
  past: PastSnapshot,
  { newest }: EditionHistory,
  key: KeyObject | undefined,
  areBlobs: boolean,
): Promise<FolderProblem[]> {
  const { folder, manifest, gone } = past
  const found: FolderProblem[] = []
  if (!gone) {
    if (key && !isSigned(past.bytes, key))
      found.push({ file: join(folder, manifestName), problem: signatureProblem(key) })
    for (const file of areBlobs ? [] : listParts(manifest))
      found.push(...(await checkPart(join(folder, file.name), file)))
  }
  if (past === newest && !readOrigin(past))
    found.push({
      file: join(folder, sourceName),
      problem: 'The file is missing or damaged. The next delta compares all records.',
    })
  if (!areBlobs) found.push(...(await checkDigests(past, past === newest)))
  return found
}

const signatureProblem = (key: KeyObject): string =>
  `The manifest has no valid signature by the key ${computeKeyId(key)}. Partners refuse it; run 'periplus feeds build --full'.`

async function checkPart(path: string, { bytes, sha256 }: SnapshotPart): Promise<FolderProblem[]> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const problem = (text: string) => [{ file: path, problem: `${text} Run 'periplus feeds build --full'.` }]
  if (!found) return problem('The part is missing.')
  if (!found.isFile()) return problem('The part is not a regular file.')
  if (found.size !== bytes) return problem(`The part has ${found.size} bytes, but its manifest says ${bytes}.`)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1_048_576 })) hash.update(piece as Buffer)
  return hash.digest('hex') === sha256 ? [] : problem('The SHA-256 of the part differs from that in its manifest.')
}

/** Checks the digests of a snapshot's lines and, if the next delta needs them, of its result. */
async function checkDigests({ folder, manifest, gone }: PastSnapshot, isNewest: boolean): Promise<FolderProblem[]> {
  const { kind, records, records_of_result, checksum_of_result } = manifest
  const wordIds = manifest.feed === 'enums'
  const result = { wordIds, records: records_of_result, checksum: checksum_of_result }
  const found: FolderProblem[] = []
  const check = async (name: string, format: DigestsFormat, isNeeded: boolean) => {
    const file = join(folder, name)
    if (existsSync(file) && !(await isIntact(file, format)))
      found.push({
        file,
        problem: 'The digests are not those of the snapshot. Builds and erasures continue without them.',
      })
    else if (isNeeded && !existsSync(file))
      found.push({ file, problem: 'The digests are missing. The next build makes a full snapshot without them.' })
  }
  if (kind === 'full') await check(digestsName, result, isNewest)
  else if (isNewest) await check(resultName, result, true)
  if (kind === 'delta' && !gone) await check(digestsName, { wordIds, records }, false)
  return found
}

async function isIntact(file: string, format: DigestsFormat): Promise<boolean> {
  if (!isFile(file)) return false
  const digests = new DigestReader(file, format)
  try {
    while (digests.ready || (await digests.more())) digests.advance()
    return true
  } catch (error) {
    if (error instanceof DamagedDigests) return false
    throw error
  } finally {
    digests.close()
  }
}

const isDamagedJson = (file: string): boolean => existsSync(file) && readJsonFile(file) === undefined
