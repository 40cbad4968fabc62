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
