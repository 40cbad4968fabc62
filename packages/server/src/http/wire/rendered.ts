import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { type Coding, type Effort, maxSyncBytes, toBrotliOptions, toGzipOptions } from './coding.ts'

type Coded = Exclude<Coding, 'identity'>

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Computes the validator of a body without coding. */
export const computeEtag = (body: Buffer | string): string => `"${hash('sha1', body, 'base64url')}"`

/** A body that is ready to be sent, its strong validator, and its coded forms once they were requested. */
export class RenderedBody {
  readonly body: Buffer
  readonly etag: string
  #br: Buffer | Promise<Buffer> | undefined
  #gzip: Buffer | Promise<Buffer> | undefined

  constructor(body: Buffer, etag = computeEtag(body)) {
    this.body = body
    this.etag = etag
  }

  /** Returns the body in a coding, which is made once and kept with it. */
  as(coding: Coding, effort: Effort): Buffer | Promise<Buffer> {
    if (coding === 'identity') return this.body
    const known = coding === 'br' ? this.#br : this.#gzip
    return known ?? this.#make(coding, effort)
  }

  #make(coding: Coded, effort: Effort): Buffer | Promise<Buffer> {
    if (effort === 'swift' && this.body.length <= maxSyncBytes) return this.#keep(coding, compress(this.body, coding))
    const making = compressAsync(this.body, coding, effort).then(body => this.#keep(coding, body))
    return this.#set(coding, making)
  }

  /** Copies the body to memory of its own: zlib returns a slice of 16 KB that would stay alive whole. */
  #keep(coding: Coded, body: Buffer): Buffer {
    const kept = Buffer.allocUnsafeSlow(body.length)
    body.copy(kept)
    return this.#set(coding, kept)
  }

  #set<T extends Buffer | Promise<Buffer>>(coding: Coded, what: T): T {
    if (coding === 'br') this.#br = what
    else this.#gzip = what
    return what
  }
}

/** Codes a small body at once. */
export const compress = (body: Buffer, coding: Coded): Buffer =>
  coding === 'br'
    ? brotliCompressSync(body, toBrotliOptions('swift', body.length))
    : gzipSync(body, toGzipOptions('swift', body.length))

const compressAsync = (body: Buffer, coding: Coded, effort: Effort): Promise<Buffer> =>
  coding === 'br'
    ? brotliAsync(body, toBrotliOptions(effort, body.length))
    : gzipAsync(body, toGzipOptions(effort, body.length))
