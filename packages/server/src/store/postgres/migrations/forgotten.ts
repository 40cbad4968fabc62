/** The nodes that are gone for ever: their journals are no longer expected, and their folders are refused. */
export const forgottenMigration = `
  CREATE TABLE forgotten_nodes (
    node uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
  );
`
