/**
 * Reads the wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding). Throws RangeError for a field
 * that ends behind its message.
 */
export class Wire {
  readonly bytes: Uint8Array
  readonly end: number
  at: number

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    if (end > bytes.length) throw new RangeError('a field is longer than its message')
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** Returns the number of the next field; 0 at the end. The caller reads or skips its value. */
  next(): number {
    if (this.at >= this.end) return 0
    const key = this.varint()
    this.#type = key & 7
    return key >>> 3
  }
  #type = 0

  /** Reads an unsigned number, exactly up to 2^53. */
  varint(): number {
    const { bytes } = this
    let byte = bytes[this.at++]
    if (byte === undefined) throw new RangeError('a number is cut off')
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let factor = 128
    do {
      byte = bytes[this.at++]
      if (byte === undefined || factor > 2 ** 63) throw new RangeError('a number is cut off')
      value += (byte & 0x7f) * factor
      factor *= 128
    } while (byte >= 0x80)
    return value
  }

  /** Reads a number in zigzag coding. */
  signed(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /** Returns a reader of a nested message or a packed list. */
  message(): Wire {
    const length = this.varint()
    const start = this.at
    this.at += length
    if (this.at > this.end) throw new RangeError('a field is longer than its message')
    return new Wire(this.bytes, start, this.at)
  }

  /** Returns the bytes of a nested value. */
  data(): Uint8Array {
    const { at, end } = this.message()
    return this.bytes.subarray(at, end)
  }

  skip(): void {
    if (this.#type === 0) this.varint()
    else if (this.#type === 1) this.at += 8
    else if (this.#type === 2) this.message()
    else if (this.#type === 5) this.at += 4
    else throw new RangeError('a field has an unknown type')
  }
}
