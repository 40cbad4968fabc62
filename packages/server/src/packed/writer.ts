import type { Id } from '../domain/id.ts'
import { checksum, DraftFile } from '../kit/draft-file.ts'
import { Growable } from '../kit/growable.ts'
import { describeArrays } from '../kit/stored-arrays.ts'
import {
  bodyForms,
  etagLength,
  magic,
  type PackedArrayName,
  type PackedFacts,
  type PackedHeader,
  packedArrayTypes,
  packedFormat,
  trailerBytes,
} from './format.ts'

/** A body to pack: its plain form, the coded forms that are worth their space, and its validator. */
export interface BodyToPack {
  readonly etag: string
  readonly identity: Buffer
  readonly gzip?: Buffer
  readonly br?: Buffer
}

/** Bytes that are written at once. */
const bufferBytes = 1 << 20

/** Writes a packed file in one pass: `add` the bodies ascending by id, then `commit` or `discard`. */
export class PackedWriter {
  readonly #draft: DraftFile
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #used = 0
  /** Position of the next body in the file. */
  #at = magic.length
  #crc = 0
  readonly #ids = new Growable(BigUint64Array)
  readonly #starts = new Growable(Float64Array)
  readonly #lengths = new Growable(Uint32Array)
  readonly #checksums = new Growable(Uint32Array)
  readonly #etags = new Growable(Uint8Array)

  constructor(path: string, nowMs: number) {
    this.#draft = new DraftFile(path, nowMs)
    try {
      this.#draft.write(Buffer.from(magic))
    } catch (error) {
      this.#draft.discard()
      throw error
    }
  }

  add(id: Id, body: BodyToPack): void {
    if (body.etag.length !== etagLength) throw new Error(`The validator ${body.etag} cannot be packed.`)
    this.#ids.push(id)
    this.#starts.push(this.#at)
    this.#etags.append(Buffer.from(body.etag, 'latin1'))
    for (const form of bodyForms) {
      const bytes = body[form]
      this.#lengths.push(bytes?.length ?? 0)
      this.#checksums.push(bytes ? checksum(bytes) : 0)
      if (bytes) this.#append(bytes)
    }
  }

  /** Completes the file and puts it in place. */
  commit(facts: Omit<PackedFacts, 'places'>): void {
    this.#flush()
    const columns: Readonly<Record<PackedArrayName, { view(): ArrayBufferView }>> = {
      ids: this.#ids,
      starts: this.#starts,
      lengths: this.#lengths,
      checksums: this.#checksums,
      etags: this.#etags,
    }
    const arrays = (Object.keys(packedArrayTypes) as PackedArrayName[]).map(name => {
      const { buffer, byteOffset, byteLength } = columns[name].view()
      return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
    })
    const header: PackedHeader = {
      facts: { ...facts, places: this.#ids.length },
      bodies: { bytes: this.#at - magic.length, crc: this.#crc },
      arrays: describeArrays(arrays),
    }
    const text = Buffer.from(JSON.stringify(header))
    const trailer = Buffer.alloc(trailerBytes)
    trailer.writeUInt32LE(text.length, 0)
    trailer.writeUInt32LE(checksum(text), 4)
    trailer.writeUInt32LE(packedFormat, 8)
    trailer.write(magic, 12, 'latin1')
    for (const part of [...arrays.map(({ bytes }) => bytes), text, trailer]) this.#draft.write(part)
    this.#draft.commit()
  }

  /** Deletes what has been written. */
  discard(): void {
    this.#draft.discard()
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > bufferBytes) this.#flush()
    if (bytes.length > bufferBytes) this.#write(bytes)
    else this.#used += bytes.copy(this.#buffer, this.#used)
    this.#at += bytes.length
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#used))
    this.#used = 0
  }

  #write(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#crc = checksum(bytes, this.#crc)
    this.#draft.write(bytes)
  }
}
