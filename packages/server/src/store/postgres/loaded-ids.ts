import type { Id } from '../../domain/id.ts'
import type { ExternalKey, RecordKind } from '../../domain/record-write.ts'
import { kindNumber } from '../rows/codes.ts'
import { inPieces, storable } from '../rows/copy-text.ts'
import type { IdHolder, IdRows } from '../rows/id-rules.ts'
import type { PostgresSession } from './pool.ts'

/** Name of an external key in maps. */
const nameOf = (source: string, sourceId: string): string => `${source.length} ${source}${sourceId}`

/** Finds the ids of external keys, in the order of the keys. */
export async function findIds(
  session: PostgresSession,
  kind: RecordKind,
  keys: readonly ExternalKey[],
): Promise<(Id | undefined)[]> {
  const ids = await readIds(
    session,
    kind,
    keys.filter(key => key.id === undefined),
  )
  return keys.map(({ source, sourceId, id }) => id ?? ids.get(nameOf(storable(source), storable(sourceId!))))
}

/**
 * Reads the ids of keys. A look-up per key: statistics that are older than an import let PostgreSQL scan all ids of a
 * source for each batch.
 */
async function readIds(
  session: PostgresSession,
  kind: RecordKind,
  keys: readonly ExternalKey[],
): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const [source, all] of Map.groupBy(keys, key => storable(key.source))) {
    const rows = await session.query<{ source_id: string; id: Id }>(
      `SELECT found.source_id, found.id FROM unnest($3::text[]) AS wanted (source_id), LATERAL (
         SELECT record_ids.source_id, id FROM record_ids
         WHERE kind = $1 AND source_no = (SELECT no FROM sources WHERE name = $2)
           AND record_ids.source_id = wanted.source_id LIMIT 1
       ) AS found`,
      [kindNumber[kind], source, all.map(({ sourceId }) => storable(sourceId!))],
    )
    for (const row of rows) ids.set(nameOf(source, row.source_id), row.id)
  }
  return ids
}

/** Registered ids of one kind that a transaction has loaded, and their changes. */
export class LoadedIds implements IdRows {
  readonly #kind: RecordKind
  readonly #ids: Map<string, Id>
  readonly #holders: Map<Id, IdHolder>
  /** Ids in use above those that may be assigned, ascending. */
  readonly #taken: readonly Id[]
  readonly #added = new Map<Id, IdHolder>()
  readonly #removed = new Set<Id>()
  readonly #broughtBy = new Map<Id, string>()

  private constructor(kind: RecordKind, ids: Map<string, Id>, holders: Map<Id, IdHolder>, taken: readonly Id[]) {
    this.#kind = kind
    this.#ids = ids
    this.#holders = holders
    this.#taken = taken
  }

  /** Loads what the rules need to assign ids to keys, from `next` on. */
  static async forKeys(
    session: PostgresSession,
    kind: RecordKind,
    keys: readonly ExternalKey[],
    next: Id,
  ): Promise<LoadedIds> {
    const explicit = keys.flatMap(({ id }) => id ?? [])
    const named = keys.filter(key => key.sourceId !== undefined)
    const newIds = keys.filter(({ id }) => id === undefined).length
    const ids = await readIds(session, kind, named)
    const holders = await readHolders(session, kind, explicit)
    return new LoadedIds(kind, ids, holders, await readTaken(session, kind, next, newIds))
  }

  /** Loads the holders of ids alone. */
  static async forIds(session: PostgresSession, kind: RecordKind, ids: readonly Id[]): Promise<LoadedIds> {
    return new LoadedIds(kind, new Map(), await readHolders(session, kind, ids), [])
  }

  find(source: string, sourceId: string): Id | undefined {
    return this.#ids.get(nameOf(storable(source), storable(sourceId)))
  }

  holderOf(id: Id): IdHolder | undefined {
    return this.#added.get(id) ?? (this.#removed.has(id) ? undefined : this.#holders.get(id))
  }

  add(source: string, sourceId: string, id: Id): void {
    const holder = { name: storable(source), source_id: storable(sourceId), brought_by: null }
    this.#added.set(id, holder)
    this.#ids.set(nameOf(holder.name, holder.source_id), id)
  }

  addNew(source: string, sourceId: string, id: Id): boolean {
    if (this.find(source, sourceId) !== undefined) return false
    this.add(source, sourceId, id)
    return true
  }

  remove(id: Id): void {
    const holder = this.holderOf(id)
    if (holder) this.#ids.delete(nameOf(holder.name, holder.source_id))
    if (!this.#added.delete(id)) this.#removed.add(id)
  }

  setBroughtBy(id: Id, source: string): void {
    const known = this.#added.get(id)
    if (known) this.#added.set(id, { ...known, brought_by: storable(source) })
    else {
      this.#broughtBy.set(id, storable(source))
      this.#holders.set(id, { ...this.#holders.get(id)!, brought_by: storable(source) })
    }
  }

  nextTaken(from: Id): Id | undefined {
    let next = this.#taken.find(id => id >= from)
    for (const id of this.#added.keys()) if (id >= from && (next === undefined || id < next)) next = id
    return next
  }

  async write(session: PostgresSession): Promise<void> {
    const kind = kindNumber[this.#kind]
    const removed = [...this.#removed]
    if (removed.length > 0)
      await session.run('DELETE FROM record_ids WHERE kind = $1 AND id = ANY($2)', [kind, removed])
    const added = [...this.#added]
    const brought = [...this.#broughtBy]
    const names = added.flatMap(([, { name, brought_by: by }]) => (by === null ? [name] : [name, by]))
    const numbers = await getSourceNumbers(session, new Set([...names, ...brought.map(([, name]) => name)]))
    if (added.length > 0)
      await session.copyIn(
        'COPY record_ids (kind, source_no, source_id, id, brought_by) FROM STDIN',
        inPieces(
          added.map(([id, { name, source_id: sourceId, brought_by: by }]) => [
            kind,
            numbers.get(name)!,
            sourceId,
            id,
            by === null ? null : numbers.get(by)!,
          ]),
        ),
      )
    if (brought.length > 0)
      await session.run(
        `UPDATE record_ids SET brought_by = v.source FROM unnest($2::bigint[], $3::integer[]) AS v (id, source)
         WHERE kind = $1 AND record_ids.id = v.id`,
        [kind, brought.map(([id]) => id), brought.map(([, name]) => numbers.get(name))],
      )
  }
}

async function readHolders(session: PostgresSession, kind: RecordKind, ids: readonly Id[]): Promise<Map<Id, IdHolder>> {
  if (ids.length === 0) return new Map()
  const rows = await session.query<IdHolder & { readonly id: Id }>(
    `SELECT found.id, holder.name, source_id, brought.name AS brought_by
     FROM unnest($2::bigint[]) AS wanted (id), LATERAL (
       SELECT * FROM record_ids WHERE kind = $1 AND record_ids.id = wanted.id LIMIT 1
     ) AS found
     JOIN sources AS holder ON holder.no = source_no LEFT JOIN sources AS brought ON brought.no = brought_by`,
    [kindNumber[kind], ids],
  )
  return new Map(rows.map(({ id, ...holder }) => [id, holder]))
}

/** Returns ids in use from `next` on: all, or so many that `count` ids below the last of them are free. */
async function readTaken(session: PostgresSession, kind: RecordKind, next: Id, count: number): Promise<readonly Id[]> {
  if (count === 0) return []
  for (let limit = count + 1; ; limit *= 2) {
    const rows = await session.query<{ id: Id }>(
      'SELECT id FROM record_ids WHERE kind = $1 AND id >= $2 ORDER BY kind, id LIMIT $3',
      [kindNumber[kind], next, limit],
    )
    const last = rows.at(-1)?.id ?? next
    if (rows.length < limit || Number(last - next) + 1 - rows.length >= count) return rows.map(({ id }) => id)
  }
}

/** Returns the numbers of sources, and adds those that are unknown. */
async function getSourceNumbers(session: PostgresSession, names: ReadonlySet<string>): Promise<Map<string, number>> {
  const read = async () => {
    const sql = 'SELECT name, no FROM sources WHERE name = ANY($1)'
    const rows = await session.query<{ name: string; no: number }>(sql, [[...names]])
    return new Map(rows.map(({ name, no }) => [name, no]))
  }
  if (names.size === 0) return new Map()
  const known = await read()
  const unknown = [...names].filter(name => !known.has(name))
  if (unknown.length === 0) return known
  await session.run('INSERT INTO sources (name) SELECT unnest($1::text[])', [unknown])
  return read()
}
