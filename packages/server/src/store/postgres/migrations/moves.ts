/**
 * The data folder that the contents of a database have moved to, and whether the journal of a node is complete outside
 * of its folder.
 */
export const movesMigration = `
  ALTER TABLE cluster ADD COLUMN moved_to text, ADD COLUMN moved_id uuid;
  -- True from the end of a process that has folded and shipped all of its journal until the start of the next one.
  ALTER TABLE usage_position ADD COLUMN ended boolean NOT NULL DEFAULT false;
  CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The contents have moved to a data folder.' USING ERRCODE = 'PM001';
  END $$;
`
