import { createReadStream, existsSync } from 'node:fs'
import type { Config } from '../config/load.ts'
import type { RejectedRow } from '../domain/job.ts'
import { splitLines } from '../ingest/formats/lines.ts'
import type { RejectsReader } from '../usecases/admin/list-rejects.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { rejectsKey } from './shared-rejects.ts'

/** Composes the reading of rejected rows: from the blobs, or from a file of this machine that was not copied there. */
export function composeRejectsReader(config: Pick<Config, 'blobs'>): RejectsReader {
  const blobs = findLazyBlobs(config)
  return async function* readRejects(job, file) {
    const shared = await blobs?.get(rejectsKey(job, file))
    if (!shared && !existsSync(file)) return
    for await (const { bytes } of splitLines(
      shared ? toBuffers(shared) : createReadStream(file),
      Number.POSITIVE_INFINITY,
    )) {
      const row = parseRow(bytes!)
      if (row) yield row
    }
  }
}

async function* toBuffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of pieces) yield Buffer.from(buffer, byteOffset, byteLength)
}

/** Returns undefined for a torn last line. */
function parseRow(line: Buffer): Omit<RejectedRow, 'input'> | undefined {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}
