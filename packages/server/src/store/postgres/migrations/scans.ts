/**
 * Scans of reviews and what they have found, for all nodes. An erasure removes them in its transaction, even if
 * its release does not know them.
 */
export const scansMigration = `
  CREATE TABLE review_scans (
    scan text PRIMARY KEY,
    query text NOT NULL,
    ids bigint[] NOT NULL DEFAULT '{}',
    at_ms bigint NOT NULL
  );
  CREATE FUNCTION remove_scans() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM review_scans;
    RETURN NULL;
  END $$;
  CREATE TRIGGER erasures_remove_scans AFTER INSERT ON erasures EXECUTE FUNCTION remove_scans();
`
