import { createHash } from 'node:crypto'
import type { RecordKey } from './record-key.ts'

/** Number of characters that are buffered before they are hashed. */
const batchChars = 65_536

/** Computes `checksum_of_result`: the SHA-256 of `id hex(sha256(line))\n` for all records in order of id. */
export class ResultChecksum {
  records = 0
  readonly #hash = createHash('sha256')
  #text = ''

  /** Adds a record; `digest` is the SHA-256 of the line without its line end, in hex. */
  add(key: RecordKey, digest: string): void {
    this.records++
    this.#text += `${key} ${digest}\n`
    if (this.#text.length >= batchChars) this.#flush()
  }

  /** Returns the checksum in hex. Call it once, after the last record. */
  digest(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #flush(): void {
    this.#hash.update(this.#text)
    this.#text = ''
  }
}
