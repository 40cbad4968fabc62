import { createHash } from 'node:crypto'
import type { Id } from '../../domain/id.ts'
import type { ExternalKey, IdAssignment, RecordKind } from '../../domain/record-write.ts'

/** First provisional id: far above those that are assigned. */
const firstId = 2n ** 61n

/**
 * The ids of new records in a dry run, whose assignments are rolled back after each batch. An id is made from the key,
 * so that it is the same in all batches.
 */
export class ProvisionalIds {
  /** The ids by kind and digest of the key. */
  readonly #ids: Readonly<Record<RecordKind, Map<Id, Id>>> = { location: new Map(), review: new Map() }

  /** Replaces the ids of records that had none before; `found` are their ids in the store. */
  replace(
    kind: RecordKind,
    keys: readonly ExternalKey[],
    found: readonly (Id | undefined)[],
    assigned: readonly IdAssignment[],
  ): IdAssignment[] {
    return assigned.map((assignment, i) => {
      const { source, sourceId, id } = keys[i]!
      if (!('id' in assignment) || sourceId === undefined || found[i] !== undefined) return assignment
      const digest = digestOf(source, sourceId)
      const own = this.#ids[kind].get(digest) ?? id ?? digest
      this.#ids[kind].set(digest, own)
      return { id: own }
    })
  }

  find(kind: RecordKind, { source, sourceId }: ExternalKey): Id | undefined {
    return sourceId === undefined ? undefined : this.#ids[kind].get(digestOf(source, sourceId))
  }
}

function digestOf(source: string, sourceId: string): Id {
  const digest = createHash('sha256').update(`${source.length} ${source}${sourceId}`).digest()
  return firstId + (digest.readBigUInt64BE() >> 3n)
}
