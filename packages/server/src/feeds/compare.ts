import { hash } from 'node:crypto'
import type { RecordId } from '../domain/feed.ts'
import type { DigestReader } from './digest-reader.ts'
import type { DigestWriter } from './digest-writer.ts'
import type { Line } from './records.ts'

/** What is told of the records while they are compared with the snapshot before, ascending by id. */
export interface Comparison {
  /** Every record that was looked at. */
  seen(id: RecordId, line: string, sha256: string): void
  /** One that is new, or another than before. */
  changed(id: RecordId, line: string, sha256: string): void
  /** One that was there before and is no longer. */
  gone(id: RecordId): Promise<void>
  /** Called after each record: the moment to write what has gathered. */
  settle(): Promise<void> | undefined
}

/**
 * Puts the records of now beside the digests of before, both ascending by id, and writes the digests of now. `lines`
 * are all records, or (`partial`) those that may have changed: then every other digest is copied as it is.
 */
export async function compare(
  lines: AsyncIterable<readonly Line[]>,
  before: DigestReader | undefined,
  result: DigestWriter,
  { partial, told }: { readonly partial: boolean; readonly told: Comparison },
): Promise<void> {
  const copy = (buffer: Buffer, from: number, to: number) => result.copy(buffer, from, to)

  /** Everything of before that comes ahead of `bound`; of undefined: all that is left. */
  const passUntil = async (bound: RecordId | number | undefined): Promise<void> => {
    while (before && (before.ready || (await before.more()))) {
      if (bound !== undefined && !(before.id < bound)) return
      if (partial) {
        if (result.full) await result.drain()
        before.pass(copy)
      } else {
        const gone = idOf(before.id)
        before.pass()
        await told.gone(gone)
        await told.settle()
      }
    }
  }

  for await (const page of lines) {
    for (const { id, line } of page) {
      const bound = comparable(id)
      if (before && !(before.ready && before.id >= bound)) await passUntil(bound)
      const known = before?.ready && !(before.id > bound) ? before.hash : undefined
      if (known !== undefined) before!.pass()
      if (line === undefined) {
        if (known !== undefined) await told.gone(id)
      } else {
        const sha256 = hash('sha256', line, 'hex')
        if (result.full) await result.drain()
        result.add(id, sha256)
        told.seen(id, line, sha256)
        if (sha256 !== known) told.changed(id, line, sha256)
      }
      const settling = told.settle()
      if (settling) await settling
    }
  }
  await passUntil(undefined)
}

/** Short numbers compare faster as numbers. */
const comparable = (id: RecordId): RecordId | number =>
  typeof id === 'bigint' && id <= 9007199254740991n ? Number(id) : id

const idOf = (id: RecordId | number): RecordId => (typeof id === 'number' ? BigInt(id) : id)
