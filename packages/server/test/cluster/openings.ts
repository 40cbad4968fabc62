import type { UsageCursor } from '../../src/domain/ledger.ts'
import { isAfter, type JournalPosition, parseCursor } from '../../src/usage/journal-position.ts'
import { execute, query } from '../databases.ts'
import type { Ending, Opening } from './evidence.ts'

/**
 * Lets the database note how far the journal of each node is folded when an epoch opens, and why the one before has
 * ended: a fold holds the row of the epoch, so that the positions are those of this moment.
 */
export const noteOpenings = (url: string): Promise<void> =>
  execute(
    url,
    `CREATE TABLE chaos_openings (epoch bigint, node text, position text);
     CREATE FUNCTION note_opening() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO chaos_openings SELECT NEW.epoch, node::text, position FROM usage_position;
       RETURN NULL;
     END $$;
     CREATE TRIGGER note_opening AFTER UPDATE ON limit_epoch FOR EACH ROW
       WHEN (NEW.state = 'open' AND OLD.state = 'opening') EXECUTE FUNCTION note_opening();
     CREATE TABLE chaos_endings (epoch bigint, cause text);
     CREATE FUNCTION note_ending() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO chaos_endings VALUES (OLD.epoch, CASE WHEN NEW.identity <> OLD.identity THEN 'other cache'
         WHEN OLD.late THEN 'late' WHEN EXISTS (SELECT 1 FROM cluster_nodes WHERE blind) THEN 'alone'
         ELSE 'epoch lost' END);
       RETURN NULL;
     END $$;
     CREATE TRIGGER note_ending AFTER UPDATE ON limit_epoch FOR EACH ROW
       WHEN (NEW.epoch <> OLD.epoch AND OLD.identity <> '') EXECUTE FUNCTION note_ending();`,
  )

/** The openings and endings of epochs, also of databases that another one has replaced. */
export class OpeningNotes {
  readonly #openings = new Map<number, ReadonlyMap<string, JournalPosition>>()
  readonly #endings = new Map<number, Ending['cause']>()

  /** Takes up the notes of a database. */
  async collect(url: string): Promise<void> {
    for (const [epoch, positions] of await readOpenings(url))
      if (!this.#openings.has(epoch)) this.#openings.set(epoch, positions)
    const endings = await query<{ epoch: string; cause: Ending['cause'] }>(url, 'SELECT * FROM chaos_endings')
    for (const { epoch, cause } of endings)
      if (!this.#endings.has(Number(epoch))) this.#endings.set(Number(epoch), cause)
  }

  /** Number of the newest epoch that has opened; 0 before the first. */
  get newest(): number {
    return Math.max(0, ...this.#openings.keys())
  }

  /** From an epoch on, what opened knew no more than a database has that has lost commits. */
  setBack(from: number, positions: ReadonlyMap<string, JournalPosition>): void {
    for (const [epoch, known] of this.#openings)
      if (epoch >= from) this.#openings.set(epoch, earliest(known, positions))
  }

  /** Returns the openings in the order of epochs. */
  get openings(): Opening[] {
    return [...this.#openings].map(([epoch, positions]) => ({ epoch, positions })).sort((a, b) => a.epoch - b.epoch)
  }

  get endings(): Ending[] {
    return [...this.#endings].map(([epoch, cause]) => ({ epoch, cause }))
  }
}

/** Returns how far the journal of each node is folded. */
export async function readPositions(url: string): Promise<ReadonlyMap<string, JournalPosition>> {
  const rows = await query<{ node: string; position: UsageCursor }>(url, 'SELECT node, position FROM usage_position')
  return new Map(rows.map(({ node, position }) => [node, parseCursor(position)]))
}

async function readOpenings(url: string): Promise<Map<number, ReadonlyMap<string, JournalPosition>>> {
  const rows = await query<{ epoch: string; node: string; position: UsageCursor }>(url, 'SELECT * FROM chaos_openings')
  const byEpoch = Map.groupBy(rows, ({ epoch }) => Number(epoch))
  return new Map(
    [...byEpoch].map(([epoch, all]) => [epoch, new Map(all.map(row => [row.node, parseCursor(row.position)]))]),
  )
}

/** Returns the earlier position of each node that both have. */
const earliest = (a: ReadonlyMap<string, JournalPosition>, b: ReadonlyMap<string, JournalPosition>) =>
  new Map(
    [...a].flatMap(([node, one]) => {
      const other = b.get(node)
      return other ? [[node, isAfter(one, other) ? other : one] as const] : []
    }),
  )
