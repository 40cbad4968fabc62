import { firstNotBelow } from '../kit/first-not-below.ts'
import { Growable } from '../kit/growable.ts'
import { hashText } from '../kit/hash-text.ts'
import { blockKeys, cellsAround, inCell } from './block.ts'
import { distanceScale } from './classes.ts'
import type { MatchRecord } from './record.ts'

/** Maximum size of a block; larger ones hold a common word or a number that many places share. */
const maxBlock = 2000
const maxShared = 20

/** Blocks of records, by the hashes of their keys. */
export class Blocks {
  readonly #records: readonly MatchRecord[]
  readonly #weightOf: (word: string) => number
  readonly #hashes: Float64Array
  readonly #numbers: Uint32Array

  constructor(records: readonly MatchRecord[], weightOf: (word: string) => number) {
    this.#records = records
    this.#weightOf = weightOf
    const hashes = new Growable(Float64Array)
    const numbers = new Growable(Uint32Array)
    for (const [number, record] of records.entries()) {
      const { everywhere, local, cell } = blockKeys(record, weightOf)
      for (const key of [...everywhere, ...local.map(one => inCell(one, cell))]) {
        hashes.push(hashText(key))
        numbers.push(number)
      }
    }
    const [all, of] = [hashes.view(), numbers.view()]
    const order = Uint32Array.from(all, (_, i) => i).sort((a, b) => all[a]! - all[b]! || of[a]! - of[b]!)
    this.#hashes = Float64Array.from(order, i => all[i]!)
    this.#numbers = Uint32Array.from(order, i => of[i]!)
  }

  /** Returns the numbers of the records after one that share a block with it. */
  after(number: number): Iterable<number> {
    const record = this.#records[number]!
    const { everywhere, local, cell } = blockKeys(record, this.#weightOf)
    const found = new Set<number>()
    const cells = cellsAround(cell, distanceScale(record.placeClass) > 1)
    for (const key of everywhere) this.#collect(key, maxShared, number, found)
    for (const key of local) for (const at of cells) this.#collect(inCell(key, at), maxBlock, number, found)
    return found
  }

  #collect(key: string, max: number, number: number, found: Set<number>): void {
    const hash = hashText(key)
    const from = firstNotBelow(this.#hashes, hash)
    let to = from
    while (this.#hashes[to] === hash && to - from <= max) to++
    if (to - from > max) return
    for (let at = from; at < to; at++) if (this.#numbers[at]! > number) found.add(this.#numbers[at]!)
  }
}
