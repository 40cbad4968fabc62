import type { Migration } from '../migrate.ts'

/** Jobs and the runs of imports; times in milliseconds since 1970. Part of control.sqlite. */
export const jobsMigration: Migration = `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    actor TEXT NOT NULL,
    request TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    progress TEXT,
    result TEXT,
    failure TEXT,
    cancelling INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_by_state ON jobs (state);

  -- The files of an import's rejected rows.
  CREATE TABLE import_runs (
    job TEXT NOT NULL,
    input TEXT NOT NULL,
    rejects_file TEXT NOT NULL,
    rejects_rows INTEGER NOT NULL,
    PRIMARY KEY (job, rejects_file)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Findings of imports about their places. drift, points: parts of ImportSurvey as JSON; counts: the result of the job.
 */
export const importRunsMigration: Migration = `
  ALTER TABLE import_runs RENAME TO import_rejects;
  CREATE TABLE import_runs (
    job TEXT PRIMARY KEY,
    counts TEXT NOT NULL,
    drift TEXT NOT NULL,
    points TEXT NOT NULL
  ) STRICT;
`
