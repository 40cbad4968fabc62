import { createHash } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Bytes between syncs, small enough that other writers to the disk do not wait long. */
const syncEveryBytes = 8_388_608

/** A new file that is written from its start, and the SHA-256 of its bytes. */
export class HashedFile {
  readonly #file: number
  readonly #hash = createHash('sha256')
  #bytes = 0
  #synced = 0
  #isOpen = true

  constructor(path: string) {
    this.#file = openSync(path, 'wx')
  }

  /** Number of bytes written so far. */
  get bytes(): number {
    return this.#bytes
  }

  append(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) at += writeSync(this.#file, piece, at)
    this.#hash.update(piece)
    this.#bytes += piece.length
    if (this.#bytes - this.#synced < syncEveryBytes) return
    fdatasyncSync(this.#file)
    this.#synced = this.#bytes
  }

  /** Ends the file and syncs it to disk. */
  close(): { readonly bytes: number; readonly sha256: string } {
    try {
      fsyncSync(this.#file)
    } finally {
      this.abandon()
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Stops writing and leaves the incomplete file in place. */
  abandon(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }
}
