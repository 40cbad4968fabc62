import type { Migration } from '../migrate.ts'

/**
 * Users whose mailbox nobody has shown yet, and links that were sent by mail. Users of earlier releases count as
 * confirmed. Part of control.sqlite.
 */
export const unconfirmedMigration: Migration = `
  ALTER TABLE users ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE links ADD COLUMN mailed INTEGER NOT NULL DEFAULT 0;
`
