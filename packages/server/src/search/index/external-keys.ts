import type { Collector } from './collector.ts'
import { sharedArray } from './typed-arrays.ts'

/** Documents by the hashes of their keys: ids in other sources, and phone numbers. */
export interface ExternalKeyTable {
  /** Ascending hashes (`hashText`) of keys. */
  readonly externalHash: Float64Array
  /** Document of each entry of `externalHash`; ascending among equal hashes. */
  readonly externalDoc: Uint32Array
}

/** Sorts the keys of the collected documents, which `order` lists by rank. */
export function buildExternalKeys(
  { keyHash, keyDoc }: Pick<Collector, 'keyHash' | 'keyDoc'>,
  order: Uint32Array,
): ExternalKeyTable {
  const [hashes, docs] = [keyHash.view(), keyDoc.view()]
  const rankOf = new Uint32Array(order.length)
  for (let rank = 0; rank < order.length; rank++) rankOf[order[rank]!] = rank
  const sorted = Uint32Array.from(hashes, (_, i) => i).sort(
    (a, b) => hashes[a]! - hashes[b]! || rankOf[docs[a]!]! - rankOf[docs[b]!]!,
  )
  const externalHash = sharedArray(Float64Array, sorted.length)
  const externalDoc = sharedArray(Uint32Array, sorted.length)
  for (let i = 0; i < sorted.length; i++) {
    externalHash[i] = hashes[sorted[i]!]!
    externalDoc[i] = rankOf[docs[sorted[i]!]!]!
  }
  return { externalHash, externalDoc }
}
