import type { Migration } from '../migrate.ts'

/** Reasons of hidden reviews. Part of control.sqlite. */
export const hiddenReasonsMigration: Migration = `
  -- The reason why a review is hidden; NULL for an erased one.
  ALTER TABLE moderated_reviews ADD COLUMN reason TEXT;
`
