/** Search indexes in the blobs. files: JSON of SharedIndexFile. */
export const indexesMigration = `
  CREATE TABLE search_indexes (
    format integer NOT NULL,
    revision bigint NOT NULL,
    files text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (format, revision)
  );
`
