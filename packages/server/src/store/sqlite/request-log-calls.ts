import { type JournalCall, toRecord } from '../../domain/journal-call.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { uuidBytes, writeUuid } from '../../kit/uuid.ts'
import type { Sqlite } from '../connection.ts'
import { loggedColumns } from '../rows/logged-call.ts'
import { fitsBlock } from '../rows/request-log-blocks.ts'
import { BlockWriter, groupOf } from './request-log-block-writer.ts'
import type { CallNumbers } from './request-log-numbers.ts'
import { RateCounts } from './request-log-rates.ts'

/** Adds calls to the log: served ones to blocks, others to the table `calls`. Calls that the log has are ignored. */
export class CallInserts {
  readonly #numbers: CallNumbers
  readonly #blocks: BlockWriter
  readonly #rows: RowInserts
  readonly #rates: RateCounts
  readonly #findLast
  readonly #setLast
  readonly #setGroupLast
  /** Time of the latest call of each key. */
  readonly #lastMs = new Map<number, number>()

  constructor(db: Sqlite, numbers: CallNumbers) {
    this.#numbers = numbers
    this.#blocks = new BlockWriter(db, numbers)
    this.#rows = new RowInserts(db)
    this.#rates = new RateCounts(db)
    this.#findLast = db.prepare<[number], number>('SELECT last_ms FROM keys WHERE no = ?').pluck()
    this.#setLast = db.prepare('UPDATE keys SET last_ms = ? WHERE no = ?')
    this.#setGroupLast = db.prepare('UPDATE call_groups SET last_ms = max(last_ms, ?) WHERE no = ?')
  }

  add(calls: readonly JournalCall[]): void {
    const groups = new Map<number, number>()
    const touch = (no: number, timeMs: number) => void groups.set(no, Math.max(groups.get(no) ?? 0, timeMs))
    for (const [key, group] of this.#groupByKey(calls)) {
      const lastMs = this.#lastMs.get(key) ?? this.#findLast.get(key)!
      const inBlocks = group.filter(fitsBlock)
      for (const call of this.#blocks.add(key, inBlocks, lastMs, touch)) this.#rates.add(call)
      const others = inBlocks.length === group.length ? [] : group.filter(call => !fitsBlock(call))
      for (const call of others) {
        const groupNo = this.#numbers.ofGroup(key, groupOf(call.terms))
        const row = { key, operation: this.#numbers.ofOperation(call.terms.operation), groupNo }
        if (this.#rows.add(row, toRecord(call))) this.#rates.add(call)
        touch(groupNo, call.timeMs)
      }
      const newestMs = group.reduce((newest, { timeMs }) => Math.max(newest, timeMs), lastMs)
      if (newestMs > lastMs) this.#setLast.run(newestMs, key)
      this.#lastMs.set(key, newestMs)
    }
    this.#rows.flush()
    this.#rates.flush()
    for (const [no, timeMs] of groups) this.#setGroupLast.run(timeMs, no)
  }

  /** Groups calls by the number of their key, in the order of the tables. */
  #groupByKey(calls: readonly JournalCall[]): readonly (readonly [key: number, calls: readonly JournalCall[]])[] {
    const groups = new Map<number, JournalCall[]>()
    let terms: UsageRecord | undefined
    let group: JournalCall[] = []
    for (const call of calls) {
      if (call.terms !== terms) {
        terms = call.terms
        group = groups.getOrInsertComputed(this.#numbers.ofKey(terms), () => [])
      }
      group.push(call)
    }
    return [...groups].sort(([a], [b]) => a - b)
  }
}

const columns = [
  'key_no',
  'time_ms',
  'id',
  'operation',
  'version',
  'explicit',
  'status',
  'units',
  'duration_us',
  'fault',
  'fields',
  'refused',
  'facts',
  'group_no',
]

/** Number of rows in one statement: a statement for each row costs twice the CPU time. */
const rowsPerInsert = 64

/** The numbers in a row of `calls`. */
interface RowNumbers {
  readonly key: number
  readonly operation: number
  readonly groupNo: number
}

/** Adds rows to the table `calls`, many with one statement. */
class RowInserts {
  #values: unknown[] = []
  /** Ids of the rows since the last `flush`. */
  readonly #ids = new Set<string>()
  readonly #find
  readonly #insertMany
  readonly #insertOne

  constructor(db: Sqlite) {
    const row = `(${columns.map(() => '?').join(',')})`
    const prepare = (count: number) =>
      db.prepare(`INSERT OR IGNORE INTO calls (${columns.join(',')}) VALUES ${Array(count).fill(row).join(',')}`)
    this.#find = db.prepare('SELECT 1 FROM calls WHERE key_no = ? AND time_ms = ? AND id = ?')
    this.#insertMany = prepare(rowsPerInsert)
    this.#insertOne = prepare(1)
  }

  /**
   * Adds a call; returns false for one that the table has, and for a request id that is not a UUID. `flush` writes the
   * last rows.
   */
  add({ key, operation, groupNo }: RowNumbers, record: UsageRecord): boolean {
    const id = Buffer.allocUnsafe(uuidBytes)
    if (!writeUuid(record.requestId, id, 0)) return false
    const name = id.toString('latin1')
    if (this.#ids.has(name) || this.#find.get(key, record.timeMs, id) !== undefined) return false
    this.#ids.add(name)
    const { timeMs, version, versionExplicit, status, units, durationUs } = record
    this.#values.push(key, timeMs, id, operation, version, versionExplicit ? 1 : 0, status, units, durationUs)
    const { fault, fields, refused, facts } = loggedColumns(record)
    this.#values.push(fault, fields, refused, facts, groupNo)
    if (this.#values.length === rowsPerInsert * columns.length) {
      this.#insertMany.run(this.#values)
      this.#values = []
    }
    return true
  }

  flush(): void {
    const width = columns.length
    for (let i = 0; i < this.#values.length; i += width) this.#insertOne.run(this.#values.slice(i, i + width))
    this.#values = []
    this.#ids.clear()
  }
}
