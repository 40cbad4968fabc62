import { createHash } from 'node:crypto'
import type Pg from 'pg'
import type { InputRow } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { SyncFailed, type SyncRows, type SyncSource } from '../../domain/sync.ts'
import { parseLongJson } from '../../kit/long-json.ts'
import { rowInput } from '../row-input.ts'
import { connectToSource, databaseName, type SourceConnection, toSyncFailure } from './client.ts'
import { type CursorType, cursorTypeOf, describeStatement, type QueryColumn, readStatement } from './statements.ts'

/** Rows that one statement fetches. */
const fetchedRows = 1000

/** Settings of a sync from PostgreSQL. */
export interface PostgresSourceOptions extends SourceConnection {
  /** A SELECT of the rows, without a condition on the cursor. */
  readonly query: string
  readonly cursor: string
  readonly kind: RecordKind | undefined
  /** Distance before its position from which a run reads again: an interval for times, a number for numbers. */
  readonly overlap: string | undefined
}

const defaultOverlaps: Readonly<Record<CursorType, string>> = { time: '5 minutes', number: '1000', text: '' }

/** A row as the server sends it. */
interface FetchedRow {
  readonly record: string
  readonly position: string | null
  /** True for the rows that earlier runs have read; they come first. */
  readonly known: boolean
}

/**
 * Creates the source of a query. The server converts rows to JSON, so that numbers, times, lists and JSON
 * arrive as it writes them; a cursor of the server bounds the memory.
 */
export function createPostgresSource(options: PostgresSourceOptions): SyncSource {
  const { url, query, cursor } = options
  return {
    origin: createHash('sha256')
      .update(JSON.stringify([databaseName(url), query.trim(), cursor]))
      .digest('hex'),
    removesMissing: false,
    // Without a position, all rows are read.
    prepare: async position => ({ isComplete: position === undefined }),
    open: async position => {
      const client = await connectToSource(options)
      try {
        return await openRows(client, options, position)
      } catch (error) {
        await client.end().catch(() => {})
        throw toSyncFailure(error, url)
      }
    },
  }
}

async function openRows(
  client: Pg.Client,
  options: PostgresSourceOptions,
  position: string | undefined,
): Promise<SyncRows | undefined> {
  const { query, cursor, url, kind } = options
  // The extended protocol accepts one statement only, so that a query cannot end the transaction.
  const { fields } = await client.query({ text: describeStatement(query), queryMode: 'extended' } as Pg.QueryConfig)
  const { type, name: cursorTypeName } = checkColumns(fields, cursor)
  const overlap = options.overlap ?? defaultOverlaps[type]
  await client.query(readStatement({ query, cursor, cursorTypeName, type, position, overlap }))
  const fetch = async (): Promise<readonly FetchedRow[]> => {
    try {
      return (await client.query<FetchedRow>(`FETCH ${fetchedRows} FROM periplus_sync`)).rows
    } catch (error) {
      throw toSyncFailure(error, url)
    }
  }
  const first = await fetch()
  if (first.length === 0) {
    await client.end()
    return undefined
  }
  let [unplaced, known] = [0, 0]
  const rows = readRows(first, fetch, row => {
    if (row.position === null) unplaced++
    if (row.known) known++
  })
  const columns = toColumns(fields, first)
  return {
    inputs: [{ input: rowInput(databaseName(url), { columns, rows }), kind }],
    known: () => known,
    done: async () => {},
    close: () => client.end(),
    notes: () =>
      unplaced === 0
        ? []
        : [
            `Rows without ${cursor}: ${unplaced}. Later runs will not read them. ` +
              `Select coalesce(${cursor}, …) AS ${cursor} with the time of their creation.`,
          ],
  }
}

/** Checks the columns of the query, and returns the type of the cursor. */
function checkColumns(fields: readonly QueryColumn[], cursor: string) {
  const names = fields.map(({ name }) => name)
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined)
    throw new SyncFailed(`The query has two columns with the name ${repeated}. Give one of them another name with AS.`)
  const field = fields.find(({ name }) => name === cursor)
  if (!field)
    throw new SyncFailed(
      `The query has no column ${cursor}, which is the cursor. Its columns are: ${names.join(', ')}.`,
    )
  const type = cursorTypeOf(field.dataTypeID)
  if (type) return type
  throw new SyncFailed(
    `The column ${cursor} cannot be the cursor, because its type has no order of changes. ` +
      'Use a time, a number or a text that grows with every change.',
  )
}

const parseRecord = (text: string) => parseLongJson(text) as Record<string, unknown>

/** Number of rows from which the meaning of columns is recognised. */
const sampledRows = 100

const toColumns = (fields: readonly QueryColumn[], first: readonly FetchedRow[]) => {
  const samples = first.slice(0, sampledRows).map(({ record }) => parseRecord(record))
  return fields.map(({ name }) => ({ name, samples: samples.map(sample => sample[name]) }))
}

async function* readRows(
  first: readonly FetchedRow[],
  fetch: () => Promise<readonly FetchedRow[]>,
  onRow: (row: FetchedRow) => void,
): AsyncGenerator<InputRow> {
  let line = 0
  for (let rows = first; rows.length > 0; rows = rows.length < fetchedRows ? [] : await fetch()) {
    for (const fetched of rows) {
      const { record, position } = fetched
      const row = { line: ++line, text: () => record, record: parseRecord(record) }
      onRow(fetched)
      yield position === null ? row : { ...row, position }
    }
  }
}
