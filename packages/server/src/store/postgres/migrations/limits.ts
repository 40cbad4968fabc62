/**
 * Shared limits: the epochs that have ended, and the states of subjects if PostgreSQL keeps them. The tables of these
 * are unlogged: a crash or a promotion empties them, and with them the identity of this life of the states.
 */
export const limitsMigration = `
  CREATE TABLE limit_epochs (
    epoch bigint PRIMARY KEY,
    identity text COLLATE "C" NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX limit_epochs_by_identity ON limit_epochs (identity);

  CREATE UNLOGGED TABLE shared_states (
    subject text COLLATE "C" PRIMARY KEY,
    state text COLLATE "C" NOT NULL
  ) WITH (fillfactor = 50);
  CREATE UNLOGGED TABLE shared_life (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    identity uuid NOT NULL DEFAULT gen_random_uuid(),
    epoch bigint,
    epoch_until timestamptz
  ) WITH (fillfactor = 50);

  -- Replaces the state of each subject that has the expected one, and returns the states before.
  CREATE FUNCTION swap_states(subjects text[], expected text[], next text[]) RETURNS text[] LANGUAGE plpgsql AS $$
  DECLARE
    was text[];
    found_state text;
  BEGIN
    FOR i IN 1 .. cardinality(subjects) LOOP
      IF expected[i] IS NULL THEN
        INSERT INTO shared_states VALUES (subjects[i], next[i]) ON CONFLICT DO NOTHING;
      ELSE
        UPDATE shared_states SET state = next[i] WHERE subject = subjects[i] AND state = expected[i];
      END IF;
      found_state := expected[i];
      IF NOT FOUND THEN
        SELECT state INTO found_state FROM shared_states WHERE subject = subjects[i];
      END IF;
      was[i] := found_state;
    END LOOP;
    RETURN was;
  END $$;
`
