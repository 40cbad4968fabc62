import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Size and hexadecimal SHA-256 of the contents of a file. */
export interface FileDigest {
  readonly bytes: number
  readonly sha256: string
}

/** Reads a file and returns its digest. */
export const digestFile = (file: string): Promise<FileDigest> =>
  digestPieces(createReadStream(file, { highWaterMark: 1 << 20 }))

/** Returns the digest of the contents that the pieces make together. */
export async function digestPieces(pieces: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Writes a file, which replaces the one before if it has the expected digest; returns false if not. The caller excludes
 * other writers of the file.
 */
export async function writeChecked(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  expected: FileDigest,
): Promise<boolean> {
  const hash = createHash('sha256')
  const draft = `${file}.tmp`
  let bytes = 0
  const check = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  try {
    await pipeline(check, createWriteStream(draft, { mode: 0o600, flush: true }))
    if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256) return false
    renameSync(draft, file)
    return true
  } finally {
    rmSync(draft, { force: true })
  }
}
