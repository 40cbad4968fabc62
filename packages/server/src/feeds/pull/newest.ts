import type { RecordKey } from './record-key.ts'
import type { RecordStream } from './records.ts'

/** Several streams as one, in order of id: where more than one has a record, the last of them speaks. */
export class Newest implements RecordStream {
  #streams: RecordStream[]
  /** Those that stand on the present record, and have to go on before the next is known. */
  #behind: RecordStream[]
  #present: RecordStream | undefined

  /** From the oldest to the newest. */
  constructor(streams: readonly RecordStream[]) {
    this.#streams = [...streams]
    this.#behind = [...streams]
  }

  get bytes(): Buffer {
    return this.#present!.bytes
  }

  get start(): number {
    return this.#present!.start
  }

  get end(): number {
    return this.#present!.end
  }

  get key(): RecordKey {
    return this.#present!.key
  }

  get tombstone(): boolean {
    return this.#present!.tombstone
  }

  tryNext(): boolean {
    while (this.#behind.length > 0) {
      if (!this.#behind.at(-1)!.tryNext()) return false
      this.#behind.pop()
    }
    return this.#settle()
  }

  async more(): Promise<boolean> {
    for (const stream of this.#behind) {
      if (!stream.tryNext() && !(await stream.more())) this.#streams = this.#streams.filter(other => other !== stream)
    }
    this.#behind = []
    return this.#settle()
  }

  #settle(): boolean {
    this.#present = undefined
    for (const stream of this.#streams) {
      if (!this.#present || stream.key <= this.#present.key) this.#present = stream
    }
    if (!this.#present) return false
    const { key } = this.#present
    this.#behind = this.#streams.filter(stream => stream.key === key)
    return true
  }
}
