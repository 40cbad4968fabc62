import {
  createDatabase,
  type SqlDatabase,
  type SqlParams,
  type SqlStatement,
  type SqlValue,
  type SqlWork,
} from '../sql/database.ts'
import { locks } from './locks.ts'
import type { PostgresPool, PostgresSession, Values } from './pool.ts'

/** A statement whose parameters have numbers, and the names of these parameters in order. */
interface NumberedText {
  readonly text: string
  readonly names: readonly string[]
}

const numbered = new Map<string, NumberedText>()

/** Replaces the names of parameters by numbers, outside of texts in quotes. */
function numberParams(text: string): NumberedText {
  const known = numbered.get(text)
  if (known) return known
  const names: string[] = []
  const withNumbers = text.replaceAll(/'[^']*'|@([A-Za-z]\w*)/g, (part, name?: string) => {
    if (name === undefined) return part
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  const result = { text: withNumbers, names }
  numbered.set(text, result)
  return result
}

const valuesOf = (names: readonly string[], params: SqlParams): Values => names.map(name => params[name])

type Row = Record<string, unknown>

/** Converts columns of 64 bits to numbers, in place: control data has none above 2^53. */
export function toNumbers(rows: Row[]): Row[] {
  for (const row of rows)
    for (const name in row) {
      const value = row[name] as SqlValue
      if (typeof value === 'bigint') row[name] = Number(value)
    }
  return rows
}

async function step(session: PostgresSession, { text, params, result }: SqlStatement): Promise<unknown> {
  const { text: withNumbers, names } = numberParams(text)
  const values = valuesOf(names, params)
  if (result === 'changes') return session.run(withNumbers, values)
  const rows = toNumbers(await session.query<Row>(withNumbers, values))
  return result === 'row' ? rows[0] : rows
}

/** Runs work on a connection, and awaits each step. */
export async function performOn<T>(session: PostgresSession, work: SqlWork<T>): Promise<T> {
  let next = work.next()
  while (!next.done) next = work.next(await step(session, next.value))
  return next.value
}

/** Opens the control data of a PostgreSQL database. */
export const createPostgresDatabase = (pool: PostgresPool): SqlDatabase =>
  createDatabase({
    perform: work => pool.use(session => performOn(session, work)),
    transaction: work =>
      pool.transaction(async session => {
        await session.query('SELECT pg_advisory_xact_lock($1)', [locks.control])
        return performOn(session, work())
      }),
    parseJson: text => pool.parseJson(text),
  })
