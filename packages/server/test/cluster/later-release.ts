/**
 * The changes of the two releases after this one, which the bundle of later releases contains (later-bundle.ts).
 * RELEASES_LATER, 1 or 2, is the one that a process runs. The first one expands and reads new forms; the second one
 * contracts (docs/guides/change-the-database.md).
 */
import type { PostgresContraction, PostgresMigration } from '../../src/store/postgres/migrations/all.ts'

const later = Number(process.env.RELEASES_LATER ?? 1)

const expansion: readonly PostgresMigration[] = [
  {
    sql: `CREATE TABLE later_notes (id bigint PRIMARY KEY, note text NOT NULL);
      ALTER TABLE cluster_nodes ADD COLUMN later_note text;
      ALTER TABLE usage_days ADD COLUMN later_count integer NOT NULL DEFAULT 0`,
  },
  { index: 'keys_by_later_order', on: 'keys (id DESC)' },
]

/** The table that the contraction drops; a database of this release has one with this name. */
export const contractedTable = 'needed_by_older'

/** Returns the level of the release after one with a level. */
export const levelAfter = (level: number): number => level + expansion.length

/** Returns the migrations that a later release knows. */
export const laterMigrations = (known: readonly PostgresMigration[]): readonly PostgresMigration[] => [
  ...known,
  ...expansion,
  // A release without a migration of its own has a level of its own as well.
  ...(later > 1 ? [{ sql: '' }] : []),
]

/** Returns the contractions that a later release knows; `level` is that of this release. */
export const laterContractions = (
  known: readonly PostgresContraction[],
  level: number,
): readonly PostgresContraction[] => [
  ...known,
  ...(later > 1 ? [{ oldest: levelAfter(level), sql: `DROP TABLE ${contractedTable}` }] : []),
]

/** Returns the version of a later package. */
export const laterVersion = (version: string): string => `${version}-later.${later}`
