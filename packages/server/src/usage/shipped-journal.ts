import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { BlobStore } from '../domain/blob-store.ts'
import type { NodeJournals, ShippedFile } from '../domain/node-journals.ts'
import { replaceFile } from '../kit/replace-file.ts'
import type { JournalFile, JournalScan } from './journal-files.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'

const decompress = promisify(zstdDecompress)

const numberDigits = 8
const keyPattern = /^journals\/([0-9a-f-]{36})\/(\d{8})-(\d+)-([0-9a-f]{64})\.log\.zst$/

const prefixOf = (node: string): string => `journals/${node}/`

/**
 * Returns the key of a shipped file. It contains all that the database knows of the file, so that a database that was
 * restored, or that lost its last commits, finds the file again.
 */
export const shippedKey = ({ node, file, bytes, sha256 }: ShippedFile): string =>
  `${prefixOf(node)}${String(file).padStart(numberDigits, '0')}-${bytes}-${sha256}.log.zst`

/** Parses a key of `shippedKey`. */
function parseKey(key: string): ShippedFile | undefined {
  const [, node, file, bytes, sha256] = keyPattern.exec(key) ?? []
  return node === undefined ? undefined : { node, file: Number(file), bytes: Number(bytes), sha256: sha256! }
}

export const sha256Of = (contents: Buffer): string => createHash('sha256').update(contents).digest('hex')

/** Adds the shipped files of a node to the database that are only in the blobs; returns all of them. */
export async function findShipped(
  journals: NodeJournals,
  blobs: BlobStore,
  node: string,
): Promise<readonly ShippedFile[]> {
  const known = new Set((await journals.shipped(node)).map(shippedKey))
  for await (const { key } of blobs.list(prefixOf(node))) {
    const found = known.has(key) ? undefined : parseKey(key)
    if (found) await journals.addShipped(found)
  }
  return journals.shipped(node)
}

/** Returns the contents of a shipped file. Throws DamagedJournalFile if they are not what was shipped. */
export const readShipped = async (blobs: BlobStore, file: ShippedFile): Promise<Buffer> =>
  (await readChecked(blobs, file)).contents

/** Writes a shipped file in its compressed form. Throws DamagedJournalFile if it is not what was shipped. */
export async function writeShipped(blobs: BlobStore, file: ShippedFile, path: string): Promise<void> {
  replaceFile(path, (await readChecked(blobs, file)).packed)
}

async function readChecked(blobs: BlobStore, file: ShippedFile): Promise<{ packed: Buffer; contents: Buffer }> {
  const key = shippedKey(file)
  const body = await blobs.get(key)
  if (!body) throw new DamagedJournalFile(key, 0, `it is missing from ${blobs.name}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const packed = Buffer.concat(chunks)
  const contents = await decompress(packed).catch(() => undefined)
  if (contents?.length !== file.bytes || sha256Of(contents) !== file.sha256)
    throw new DamagedJournalFile(key, packed.length, `its bytes in ${blobs.name} are not those that were shipped`)
  return { packed, contents }
}

/** Returns the journal of a node as far as it is in the blobs. `list` returns its files. */
export function shippedJournal(
  blobs: BlobStore,
  node: string,
  list: () => Promise<readonly ShippedFile[]>,
): JournalReader {
  const byKey = new Map<string, ShippedFile>()
  return {
    name: `journals/${node}`,
    scan: async () => {
      const files = (await list()).map((shipped): JournalFile => {
        const path = shippedKey(shipped)
        byKey.set(path, shipped)
        return { number: shipped.file, form: 'shipped', path, bytes: shipped.bytes }
      })
      return { files, taken: files.map(({ number }) => number) }
    },
    read: async ({ path }, offset = 0) => (await readShipped(blobs, byKey.get(path)!)).subarray(offset),
    sync: async () => {},
  }
}

/** Returns the journal of this node: the files in its folder, and those that are only in the blobs. */
export const withShipped = (local: JournalReader, shipped: JournalReader): JournalReader => ({
  name: local.name,
  scan: async (): Promise<JournalScan> => {
    // The folder first: a file that has left it is in the blobs.
    const { files, taken } = await local.scan()
    const remote = await shipped.scan()
    const numbers = new Set(files.map(({ number }) => number))
    const added = remote.files.filter(({ number }) => !numbers.has(number))
    if (added.length === 0) return { files, taken }
    return {
      files: [...added, ...files].sort((a, b) => a.number - b.number),
      taken: [...new Set([...taken, ...added.map(({ number }) => number)])],
    }
  },
  read: (file, offset) => (file.form === 'shipped' ? shipped : local).read(file, offset),
  sync: numbers => local.sync(numbers),
})
