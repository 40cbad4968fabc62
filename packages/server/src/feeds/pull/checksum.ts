import { createHash } from 'node:crypto'
import type { RecordKey } from './record-key.ts'

const gatheredChars = 65_536

/** `checksum_of_result` of R-45: SHA-256 over `id hex(sha256(line))\n`, to be fed in ascending order of id. */
export class ResultChecksum {
  records = 0
  readonly #hash = createHash('sha256')
  #text = ''

  /** `digest` is the SHA-256 of the line without its line end, in hex. */
  add(key: RecordKey, digest: string): void {
    this.records++
    this.#text += `${key} ${digest}\n`
    if (this.#text.length >= gatheredChars) this.#pass()
  }

  /** In hex; ends it. */
  digest(): string {
    this.#pass()
    return this.#hash.digest('hex')
  }

  #pass(): void {
    this.#hash.update(this.#text)
    this.#text = ''
  }
}
