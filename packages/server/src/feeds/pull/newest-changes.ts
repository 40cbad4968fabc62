import type { RecordKey } from './record-key.ts'
import type { RecordStream } from './records.ts'

/**
 * Merges several streams of changes into one, in order of id. If several streams contain the same record, the newest
 * stream takes precedence.
 */
export class NewestChanges implements RecordStream {
  #streams: RecordStream[]
  /** Streams whose current record has been consumed and which must advance next. */
  #consumed: RecordStream[]
  #current: RecordStream | undefined

  /** `streams` are ordered from the oldest to the newest. */
  constructor(streams: readonly RecordStream[]) {
    this.#streams = [...streams]
    this.#consumed = [...streams]
  }

  get bytes(): Buffer {
    return this.#current!.bytes
  }

  get start(): number {
    return this.#current!.start
  }

  get end(): number {
    return this.#current!.end
  }

  get key(): RecordKey {
    return this.#current!.key
  }

  get tombstone(): boolean {
    return this.#current!.tombstone
  }

  tryNext(): boolean {
    while (this.#consumed.length > 0) {
      if (!this.#consumed.at(-1)!.tryNext()) return false
      this.#consumed.pop()
    }
    return this.#select()
  }

  async more(): Promise<boolean> {
    for (const stream of this.#consumed) {
      if (!stream.tryNext() && !(await stream.more())) this.#streams = this.#streams.filter(other => other !== stream)
    }
    this.#consumed = []
    return this.#select()
  }

  /** Selects the stream with the lowest id; returns false at the end of all streams. */
  #select(): boolean {
    this.#current = undefined
    for (const stream of this.#streams) {
      if (!this.#current || stream.key <= this.#current.key) this.#current = stream
    }
    if (!this.#current) return false
    const { key } = this.#current
    this.#consumed = this.#streams.filter(stream => stream.key === key)
    return true
  }
}
