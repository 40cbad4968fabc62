/** The time up to which each node that shares limits has folded what it answered. */
export const nodesMigration = `
  ALTER TABLE cluster_nodes ADD COLUMN folded_at timestamptz;
`
