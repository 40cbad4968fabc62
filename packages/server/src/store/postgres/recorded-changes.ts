import type { Change } from '../../domain/change.ts'
import type { Id } from '../../domain/id.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { ChangeRecorder } from '../rows/batch.ts'
import { kindNumber } from '../rows/codes.ts'
import { inPieces } from '../rows/copy-text.ts'
import type { PostgresSession } from './pool.ts'

type Tombstone = 'removed' | 'erased' | 'merged'
type Line = readonly [kind: 1 | 2, id: Id, op: Change['op'], mergedInto: Id | null]

/** The changes and tombstones that a batch has recorded. */
export class RecordedChanges implements ChangeRecorder {
  readonly #lines: Line[] = []
  /** The last tombstone of each record, or undefined if it exists. */
  readonly #tombstones = {
    location: new Map<Id, Tombstone | undefined>(),
    review: new Map<Id, Tombstone | undefined>(),
  }
  readonly #atMs: number

  constructor(atMs: number) {
    this.#atMs = atMs
  }

  upserted(kind: RecordKind, id: Id): void {
    this.#tombstones[kind].set(id, undefined)
    this.#lines.push([kindNumber[kind], id, 'upsert', null])
  }

  removed(kind: RecordKind, id: Id, reason: 'removed' | 'erased'): void {
    this.#tombstones[kind].set(id, reason)
    this.#lines.push([kindNumber[kind], id, 'delete', null])
  }

  merged(id: Id, into: Id): void {
    this.#tombstones.location.set(id, 'merged')
    this.#lines.push([kindNumber.location, id, 'merge', into])
  }

  /** Writes the lines after `lastSeq`, the newest number; `hasTombstones`: the store has tombstones. */
  async write(session: PostgresSession, lastSeq: bigint, hasTombstones: boolean): Promise<void> {
    for (const kind of ['location', 'review'] as const) await this.#writeTombstones(session, kind, hasTombstones)
    if (this.#lines.length === 0) return
    const rows = this.#lines.map(([kind, id, op, into], i) => [lastSeq + BigInt(i + 1), this.#atMs, kind, id, op, into])
    await session.copyIn('COPY changes (seq, at_ms, kind, id, op, merged_into) FROM STDIN', inPieces(rows))
  }

  async #writeTombstones(session: PostgresSession, kind: RecordKind, hasTombstones: boolean): Promise<void> {
    const all = this.#tombstones[kind]
    const number = kindNumber[kind]
    if (hasTombstones && all.size > 0)
      await session.run('DELETE FROM tombstones WHERE kind = $1 AND id = ANY($2)', [number, [...all.keys()]])
    const ended = [...all].filter(([, reason]) => reason !== undefined)
    if (ended.length === 0) return
    await session.run(
      `INSERT INTO tombstones (kind, id, at_ms, reason)
       SELECT $1, gone.id, $2, gone.reason FROM unnest($3::bigint[], $4::text[]) AS gone (id, reason)`,
      [number, this.#atMs, ended.map(([id]) => id), ended.map(([, reason]) => reason)],
    )
  }
}
