import { text } from './text-column.ts'

/** Suggestions of users for places. location: an id as text; asked: values by field and the other place. */
export const suggestionsMigration = `
  CREATE TABLE suggestions (
    id ${text} PRIMARY KEY,
    location ${text} NOT NULL,
    partner ${text} NOT NULL REFERENCES partners (id),
    kind ${text} NOT NULL,
    asked text NOT NULL,
    comment text,
    state ${text} NOT NULL,
    by ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at bigint NOT NULL,
    decided_by text,
    decided_at bigint,
    reason text,
    revision bigint NOT NULL
  );
  CREATE INDEX suggestions_by_state ON suggestions (state, at);
  CREATE UNIQUE INDEX open_suggestions ON suggestions (by, location, kind) WHERE state = 'open';
`
