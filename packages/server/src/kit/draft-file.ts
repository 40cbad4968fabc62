import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { addPathToErrors } from './error-path.ts'
import { syncFolder } from './replace-file.ts'

/** Maximum size of one read, write or checksum, in bytes. */
const chunkBytes = 1 << 26

/** Age in milliseconds of a draft after which its process must have been killed. */
const staleMs = 10 * 60_000

/**
 * A file that is written next to `path` and replaces it as a whole, so that the path always has a complete file, either
 * the old or the new one. Only its owner can read it.
 */
export class DraftFile {
  readonly #path: string
  readonly #draft: string
  readonly #file: number
  #bytes = 0
  #isOpen = true

  /** Creates an empty draft, and deletes the drafts of killed processes. */
  constructor(path: string, nowMs: number) {
    removeDrafts(path, nowMs - staleMs)
    this.#path = path
    // The threads of a process share its id: only a random name belongs to this draft alone.
    this.#draft = `${path}.${randomBytes(8).toString('hex')}.new`
    this.#file = openSync(this.#draft, 'wx', 0o600)
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes
  }

  write(bytes: Uint8Array): void {
    addPathToErrors(this.#draft, () => {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#file, bytes, at, Math.min(chunkBytes, bytes.length - at))
    })
    this.#bytes += bytes.length
  }

  /** Puts the file in place; it is on disk when this returns. */
  commit(): void {
    addPathToErrors(this.#draft, () => fsyncSync(this.#file))
    this.#close()
    renameSync(this.#draft, this.#path)
    syncFolder(dirname(this.#path))
  }

  /** Deletes the draft. */
  discard(): void {
    this.#close()
    rmSync(this.#draft, { force: true })
  }

  /** Closes the file once: its number may already belong to another file. */
  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#file)
  }
}

/** Deletes the drafts of a file that were last written before a time; without one, all of them. */
export function removeDrafts(path: string, beforeMs = Number.POSITIVE_INFINITY): void {
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix) || !name.endsWith('.new')) continue
    const file = join(dirname(path), name)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats && stats.mtimeMs < beforeMs) rmSync(file, { force: true })
  }
}

/** Reads until `into` is full or the file ends; returns the number of bytes read. */
export function readAll(file: number, into: Uint8Array, position: number): number {
  let done = 0
  while (done < into.length) {
    const read = readSync(file, into, done, Math.min(chunkBytes, into.length - done), position + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Computes the CRC-32 of bytes; `crc` is the checksum of the bytes before them. */
export function checksum(bytes: Uint8Array, crc = 0): number {
  let sum = crc
  for (let at = 0; at < bytes.length; at += chunkBytes) sum = crc32(bytes.subarray(at, at + chunkBytes), sum)
  return sum
}
