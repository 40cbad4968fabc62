/** The open feed downloads of nodes that share limits. */
export const leasesMigration = `
  CREATE TABLE download_leases (
    id uuid PRIMARY KEY,
    key_id text NOT NULL,
    node uuid NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX download_leases_key ON download_leases (key_id);
`
