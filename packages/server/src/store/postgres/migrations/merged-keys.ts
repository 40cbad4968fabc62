/** Ids in other sources of merged locations, under which their survivors are found. */
export const mergedKeysMigration = `
  CREATE TABLE merged_keys (key text COLLATE "C", from_id bigint, PRIMARY KEY (key, from_id));
  CREATE INDEX merged_keys_by_location ON merged_keys (from_id);
`
