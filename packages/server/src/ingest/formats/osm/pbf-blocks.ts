import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate as inflateCallback, zstdDecompress } from 'node:zlib'
import { Wire } from './wire.ts'

const inflate = promisify(inflateCallback)
const unzstd = promisify(zstdDecompress)

/** Maximum sizes of the parts of a file (wiki.openstreetmap.org/wiki/PBF_Format). */
const maxHeaderBytes = 64 * 1024
const maxBlobBytes = 32 * 1024 * 1024

/** A block of a file: where its data is, and how long. */
export interface BlockPosition {
  readonly type: string
  readonly from: number
  readonly bytes: number
}

/** Lists the blocks of a file. Throws RangeError for a damaged file. */
export async function* listBlocks(file: FileHandle, fileBytes: number): AsyncGenerator<BlockPosition> {
  for (let at = 0; at < fileBytes; ) {
    const length = (await readBytes(file, at, 4)).readUInt32BE()
    if (length > maxHeaderBytes) throw new RangeError('the header of a block is too long')
    const header = new Wire(await readBytes(file, at + 4, length))
    let type = ''
    let bytes = 0
    for (let field = header.next(); field > 0; field = header.next()) {
      if (field === 1) type = Buffer.from(header.data()).toString()
      else if (field === 3) bytes = header.varint()
      else header.skip()
    }
    if (bytes > maxBlobBytes) throw new RangeError('a block is too long')
    const from = at + 4 + length
    if (from + bytes > fileBytes) throw new RangeError('the file is truncated')
    yield { type, from, bytes }
    at = from + bytes
  }
}

/** Reads and decompresses a block. */
export async function readBlock(file: FileHandle, { from, bytes }: BlockPosition): Promise<Uint8Array> {
  const blob = new Wire(await readBytes(file, from, bytes))
  for (let field = blob.next(); field > 0; field = blob.next()) {
    if (field === 1) return blob.data()
    if (field === 3) return await inflate(blob.data(), { maxOutputLength: maxBlobBytes })
    if (field === 7) return await unzstd(blob.data(), { maxOutputLength: maxBlobBytes })
    if (field === 4 || field === 6)
      throw new RangeError('a block is compressed with LZMA or LZ4, which are not supported')
    blob.skip()
  }
  throw new RangeError('a block has no data')
}

async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, from)
  if (bytesRead < length) throw new RangeError('the file is truncated')
  return buffer
}
