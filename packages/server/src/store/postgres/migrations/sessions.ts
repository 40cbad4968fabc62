/**
 * Sessions of search-as-you-type of nodes that share limits. digest: of key and session. letters: hashes of the
 * first letters of its texts. offered: ids of the suggested places. charged: units of its latest call.
 */
export const sessionsMigration = `
  CREATE TABLE autocomplete_sessions (
    digest bigint PRIMARY KEY,
    opened_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    calls integer NOT NULL,
    letters integer[] NOT NULL,
    offered bigint[] NOT NULL,
    ended boolean NOT NULL,
    charged integer NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX autocomplete_sessions_by_start ON autocomplete_sessions (opened_at);
`
