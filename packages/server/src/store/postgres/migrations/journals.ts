/** The journals of nodes outside of their folders, and requests of verifications to ship them. */
export const journalsMigration = `
  CREATE TABLE journal_files (
    node uuid NOT NULL,
    file bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 text COLLATE "C" NOT NULL,
    PRIMARY KEY (node, file)
  );

  CREATE TABLE verify_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
  );
`

/** Batches of journals that are stored before their answers leave, until the ledger has them. */
export const storedRecordsMigration = `
  CREATE TABLE usage_records (
    node uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    batch bytea NOT NULL,
    PRIMARY KEY (node, id)
  );
`
