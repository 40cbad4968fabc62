import type { RecordedFault, UsageRecord } from '../../domain/usage.ts'
import type { Sqlite } from '../connection.ts'
import { encodeRequestId, type LoggedFacts } from './request-log-schema.ts'

/** Columns of all calls, and those of failed calls alone. */
const columns = ['key_no', 'time_ms', 'id', 'operation', 'version', 'explicit', 'status', 'units', 'duration_us']
const failureColumns = ['fault', 'fields', 'refused', 'facts']

/** Number of rows in one statement: a statement for each row costs twice the CPU time. */
const rowsPerInsert = 64

/** Adds rows to the table `calls`; rows that it has are ignored. */
export class CallInserts {
  readonly #served: Inserts
  readonly #failed: Inserts

  constructor(db: Sqlite) {
    this.#served = new Inserts(db, columns)
    this.#failed = new Inserts(db, [...columns, ...failureColumns])
  }

  /** Adds a call; a request id that is no UUID is left out. `flush` writes the last rows. */
  add(keyNo: number, operationNo: number, record: UsageRecord): void {
    const id = encodeRequestId(record.requestId)
    if (!id) return
    const { timeMs, version, versionExplicit, status, units, durationUs, fault, refusedBy } = record
    // Values that are bound cost CPU time: a served call has none of the others.
    const inserts = status < 400 ? this.#served : this.#failed
    inserts.values.push(keyNo, timeMs, id, operationNo, version, versionExplicit ? 1 : 0, status, units, durationUs)
    if (status >= 400) {
      const refused = joinNames(fault?.policies ?? refusedBy)
      const facts = fault ? JSON.stringify(factsOf(fault, record)) : null
      inserts.values.push(fault?.code ?? null, joinNames(fault?.fields ?? []), refused, facts)
    }
    inserts.writeIfFull()
  }

  flush(): void {
    this.#served.flush()
    this.#failed.flush()
  }
}

/** Collects the values of rows, and inserts many rows with one statement. */
class Inserts {
  values: unknown[] = []
  readonly #width: number
  readonly #insertMany
  readonly #insertOne

  constructor(db: Sqlite, names: readonly string[]) {
    this.#width = names.length
    const row = `(${names.map(() => '?').join(',')})`
    const prepare = (count: number) =>
      db.prepare(`INSERT OR IGNORE INTO calls (${names.join(',')}) VALUES ${Array(count).fill(row).join(',')}`)
    this.#insertMany = prepare(rowsPerInsert)
    this.#insertOne = prepare(1)
  }

  writeIfFull(): void {
    if (this.values.length < rowsPerInsert * this.#width) return
    this.#insertMany.run(this.values)
    this.values = []
  }

  flush(): void {
    for (let i = 0; i < this.values.length; i += this.#width) this.#insertOne.run(this.values.slice(i, i + this.#width))
    this.values = []
  }
}

const joinNames = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(','))

function factsOf({ keyRevision, retryAfterS, cost }: RecordedFault, { refusedBy, marks }: UsageRecord): LoggedFacts {
  const strikes = refusedBy.includes('penalty') ? Math.max(...marks.map(mark => mark.penalty?.strikes ?? 0)) : undefined
  return {
    revision: keyRevision,
    ...(retryAfterS !== undefined && { retry_after: retryAfterS }),
    ...(cost !== undefined && { cost }),
    ...(strikes !== undefined && { strikes }),
  }
}
