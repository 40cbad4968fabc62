import { text } from './text-column.ts'

/** States of syncs from databases and services. */
export const syncsMigration = `
  CREATE TABLE syncs (
    name ${text} PRIMARY KEY,
    origin ${text} NOT NULL,
    position ${text},
    outcome ${text} NOT NULL
  )`
