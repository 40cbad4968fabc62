import type { ChangeLog } from '../../domain/data-stores.ts'
import { type ChangeRow, toChange } from './change-log.ts'
import type { ReadServers } from './read-servers.ts'

const columns = 'seq, at_ms, kind, id, op, merged_into'
/** The lines from $1 on; the first one shows whether the history is the known one. */
const linesFrom = `SELECT ${columns} FROM changes WHERE seq >= $1 ORDER BY seq LIMIT $2`
const newest = `SELECT ${columns} FROM changes ORDER BY seq DESC LIMIT 1`

/** A line that was read, and the server at that time. */
interface KnownLine {
  readonly line: string
  readonly generation: number
}

/**
 * The change log of the server that records are read from, for one reader that continues where it ended. `after` resolves
 * to undefined, so that the reader starts over, if the last line that it has read is not in the log any more, or if
 * records have been read from another server since: one that is further back has not shown the reader what it will
 * change.
 */
export function createKnownChanges(servers: ReadServers): Pick<ChangeLog, 'lastSeq' | 'after'> {
  const known = new Map<number, KnownLine>()
  const remember = (row: ChangeRow | undefined, seq: number, generation: number): void => {
    known.clear()
    known.set(seq, { line: row ? textOf(row) : '', generation })
  }
  return {
    lastSeq: async () => {
      const { generation } = servers
      const [row] = await servers.query<ChangeRow>(newest)
      const seq = Number(row?.seq ?? 0)
      remember(row, seq, generation)
      return seq
    },
    after: async (seq, limit) => {
      const { generation } = servers
      const before = known.get(seq)
      if (before?.generation !== generation) return undefined
      const rows = await servers.query<ChangeRow>(linesFrom, [seq, limit + 1])
      const [first] = rows
      if (generation !== servers.generation || (first?.seq === BigInt(seq) ? textOf(first) : '') !== before.line)
        return undefined
      const lines = rows.filter(row => Number(row.seq) > seq)
      // Lines of an empty log begin with 1; any other number shows that earlier ones were removed.
      if (before.line === '' && lines.length > 0 && lines[0]!.seq !== BigInt(seq) + 1n) return undefined
      const last = lines.at(-1)
      if (last) remember(last, Number(last.seq), generation)
      return lines.map(toChange)
    },
  }
}

const textOf = ({ at_ms: atMs, kind, id, op }: ChangeRow): string => `${atMs} ${kind} ${id} ${op}`
