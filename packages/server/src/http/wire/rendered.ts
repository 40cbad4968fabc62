import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { brotliOptions, type Coding, type Effort, gzipOptions, mostBytesAtOnce } from './coding.ts'

type Coded = Exclude<Coding, 'identity'>

const brotliAside = promisify(brotliCompress)
const gzipAside = promisify(gzip)

/** The validator of a body that is not coded. */
export const etagOf = (body: Buffer | string): string => `"${hash('sha1', body, 'base64url')}"`

/** A body that is ready to be sent, with its strong validator, and what it is in other codings once one was asked for. */
export class Rendered {
  readonly body: Buffer
  readonly etag: string
  #br: Buffer | Promise<Buffer> | undefined
  #gzip: Buffer | Promise<Buffer> | undefined

  constructor(body: Buffer, etag = etagOf(body)) {
    this.body = body
    this.etag = etag
  }

  /** The body in a coding; it is made once, and kept as long as this is. */
  as(coding: Coding, effort: Effort): Buffer | Promise<Buffer> {
    if (coding === 'identity') return this.body
    const known = coding === 'br' ? this.#br : this.#gzip
    return known ?? this.#make(coding, effort)
  }

  #make(coding: Coded, effort: Effort): Buffer | Promise<Buffer> {
    if (effort === 'swift' && this.body.length <= mostBytesAtOnce) return this.#keep(coding, coded(this.body, coding))
    const making = codedAside(this.body, coding, effort).then(body => this.#keep(coding, body))
    return this.#set(coding, making)
  }

  /** In memory of its own: what zlib gives is a slice of 16 KB that would all stay alive. */
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

/** A small body, coded now. */
export const coded = (body: Buffer, coding: Coded): Buffer =>
  coding === 'br'
    ? brotliCompressSync(body, brotliOptions('swift', body.length))
    : gzipSync(body, gzipOptions('swift', body.length))

const codedAside = (body: Buffer, coding: Coded, effort: Effort): Promise<Buffer> =>
  coding === 'br'
    ? brotliAside(body, brotliOptions(effort, body.length))
    : gzipAside(body, gzipOptions(effort, body.length))
