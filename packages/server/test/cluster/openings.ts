import type { UsageCursor } from '../../src/domain/ledger.ts'
import { parseCursor } from '../../src/usage/journal-position.ts'
import { execute, query } from '../databases.ts'
import type { Opening } from './evidence.ts'

/**
 * Lets the database note how far the journal of each node is folded when an epoch opens: a fold holds the row of the
 * epoch, so that the positions are those of this moment.
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
       WHEN (NEW.state = 'open' AND OLD.state = 'opening') EXECUTE FUNCTION note_opening();`,
  )

/** Returns the openings so far, in the order of epochs. */
export async function readOpenings(url: string): Promise<Opening[]> {
  const rows = await query<{ epoch: string; node: string; position: UsageCursor }>(
    url,
    'SELECT epoch, node, position FROM chaos_openings ORDER BY epoch',
  )
  const byEpoch = Map.groupBy(rows, ({ epoch }) => Number(epoch))
  return [...byEpoch].map(([epoch, positions]) => ({
    epoch,
    positions: new Map(positions.map(({ node, position }) => [node, parseCursor(position)])),
  }))
}
