import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { type Coding, type Effort, getMaxSyncBytes, toBrotliOptions, toGzipOptions } from './coding.ts'

type Coded = Exclude<Coding, 'identity'>

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Computes the validator of a body without coding. */
export const computeEtag = (body: Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** Length of a validator: a SHA-1 as base64url between quotes. */
export const etagLength = 29

/** The validator and the coded forms of a body that was packed. */
export interface MadeForms {
  /** Returns the validator. */
  etag(): string
  /** Writes the validator to a buffer. */
  writeEtag(target: Buffer, at: number): void
  /** Returns a coded form; undefined if it was not made. */
  readCoded(coding: Coded): Buffer | undefined
}

/** A body ready to send, with its strong validator and the coded forms requested so far. */
export class RenderedBody {
  readonly body: Buffer
  readonly #made: MadeForms | undefined
  readonly #isSentOnce: boolean
  #etag: string | undefined
  #br: Buffer | Promise<Buffer> | undefined
  #gzip: Buffer | Promise<Buffer> | undefined

  /** `isSentOnce`: the body is composed for one response, so that compressing it well is not worth its time. */
  constructor(
    body: Buffer,
    known: { readonly etag?: string; readonly made?: MadeForms; readonly isSentOnce?: boolean } = {},
  ) {
    this.body = body
    this.#etag = known.etag
    this.#made = known.made
    this.#isSentOnce = known.isSentOnce ?? false
  }

  /** The validator; computed when it is first needed, because parts of search results need none of their own. */
  get etag(): string {
    this.#etag ??= this.#made?.etag() ?? computeEtag(this.body)
    return this.#etag
  }

  /** Writes the validator, which has `etagLength` bytes, to a buffer. */
  writeEtag(target: Buffer, at: number): void {
    if (this.#etag === undefined && this.#made) this.#made.writeEtag(target, at)
    else target.write(this.etag, at, 'latin1')
  }

  /** Returns the body in a coding; each coding is computed once and cached, unless the body is sent once. */
  as(coding: Coding, effort: Effort): Buffer | Promise<Buffer> {
    if (coding === 'identity') return this.body
    if (this.#isSentOnce) return compressBy(this.body, coding, 'least')
    const known = coding === 'br' ? this.#br : this.#gzip
    return known ?? this.#encode(coding, effort)
  }

  #encode(coding: Coded, effort: Effort): Buffer | Promise<Buffer> {
    const made = this.#made?.readCoded(coding)
    if (made) return this.#set(coding, made)
    const coded = compressBy(this.body, coding, effort)
    if (!(coded instanceof Promise)) return this.#cache(coding, coded)
    return this.#set(
      coding,
      coded.then(body => this.#cache(coding, body)),
    )
  }

  /** Copies the body to a separate buffer: zlib returns a slice of a 16 KB buffer, which would stay in memory. */
  #cache(coding: Coded, body: Buffer): Buffer {
    const copy = Buffer.allocUnsafeSlow(body.length)
    body.copy(copy)
    return this.#set(coding, copy)
  }

  #set<T extends Buffer | Promise<Buffer>>(coding: Coded, value: T): T {
    if (coding === 'br') this.#br = value
    else this.#gzip = value
    return value
  }
}

/** Compresses a body: at once if it is small for the effort, or else off the serving thread. */
const compressBy = (body: Buffer, coding: Coded, effort: Effort): Buffer | Promise<Buffer> =>
  body.length <= getMaxSyncBytes(effort) ? compress(body, coding, effort) : compressAsync(body, coding, effort)

/** Compresses a small body synchronously. */
export const compress = (body: Buffer, coding: Coded, effort: Effort = 'fast'): Buffer =>
  coding === 'br'
    ? brotliCompressSync(body, toBrotliOptions(effort, body.length))
    : gzipSync(body, toGzipOptions(effort, body.length))

const compressAsync = (body: Buffer, coding: Coded, effort: Effort): Promise<Buffer> =>
  coding === 'br'
    ? brotliAsync(body, toBrotliOptions(effort, body.length))
    : gzipAsync(body, toGzipOptions(effort, body.length))
