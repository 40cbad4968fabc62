/** Number of tables with reviews, so that vacuum and indexes work in pieces. Fixed: it decides the table of a row. */
const reviewTables = 64

const reviewColumns = `
    location_id bigint NOT NULL,
    id bigint NOT NULL,
    published_ms bigint NOT NULL,
    rating smallint NOT NULL,
    language text COLLATE "C",
    trip_type text COLLATE "C",
    user_key text COLLATE "C",
    record text NOT NULL`

/** Records, their ids and decisions, and the change log. Columns have the meaning that they have in SQLite. */
export const dataMigration = `
  -- totals: ReviewTotals as JSON (R-23); updated_ms: the last change of the record or its totals.
  CREATE TABLE locations (
    id bigint PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    country text COLLATE "C",
    category text COLLATE "C" NOT NULL,
    updated_ms bigint NOT NULL,
    is_ranked boolean NOT NULL DEFAULT false,
    record text NOT NULL,
    totals text
  ) WITH (fillfactor = 90);

  -- to_id: always the final survivor; a later merge of it updates these rows (R-24).
  CREATE TABLE merges (from_id bigint PRIMARY KEY, to_id bigint NOT NULL);
  CREATE INDEX merges_by_survivor ON merges (to_id);

  -- rating: hundredths, 0 when missing. published_ms: -9007199254740991 when unknown.
  CREATE TABLE reviews (${reviewColumns},
    PRIMARY KEY (location_id, id)
  ) PARTITION BY HASH (location_id);
  CREATE INDEX reviews_by_recency ON reviews (location_id, published_ms DESC, id DESC)
    INCLUDE (rating, language, trip_type);
  -- Builds of PostgreSQL without lz4 keep their own compression. Parts and their columns follow the table.
  DO $$ BEGIN
    ALTER TABLE locations ALTER record SET COMPRESSION lz4, ALTER totals SET COMPRESSION lz4;
    ALTER TABLE reviews ALTER record SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported THEN NULL;
  END $$;
  DO $$ BEGIN
    FOR part IN 0..${reviewTables - 1} LOOP
      EXECUTE format('CREATE TABLE reviews_%s PARTITION OF reviews FOR VALUES WITH (MODULUS ${reviewTables}, REMAINDER %s)',
        part, part);
    END LOOP;
  END $$;

  -- The place of each review that is shown: an id finds its row, and reviews are read in the order of ids.
  CREATE TABLE review_places (id bigint PRIMARY KEY, location_id bigint NOT NULL);

  CREATE TABLE hidden_reviews (${reviewColumns},
    PRIMARY KEY (id)
  );
  CREATE INDEX hidden_reviews_by_location ON hidden_reviews (location_id);

  -- The order by rating of the reviews of places with is_ranked.
  CREATE TABLE review_ranks (
    location_id bigint NOT NULL,
    rating smallint NOT NULL,
    published_ms bigint NOT NULL,
    id bigint NOT NULL,
    language text COLLATE "C",
    trip_type text COLLATE "C"
  );
  CREATE UNIQUE INDEX review_ranks_by_rating ON review_ranks (location_id, rating DESC, published_ms DESC, id DESC)
    INCLUDE (language, trip_type);

  -- kind 1: location, 2: review.
  CREATE TABLE tombstones (
    kind smallint NOT NULL,
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    reason text COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, id)
  );
  CREATE INDEX tombstones_of_erased ON tombstones (kind, id) WHERE reason = 'erased';

  -- The change log. A writer numbers its lines from the newest one on, under the lock of data (locks.ts).
  CREATE TABLE changes (
    seq bigint PRIMARY KEY,
    at_ms bigint NOT NULL,
    kind smallint NOT NULL,
    id bigint NOT NULL,
    op text COLLATE "C" NOT NULL,
    merged_into bigint
  );

  -- Ids, assigned once for each (source, source_id) and never reused (R-20).
  -- brought_by: the source that last imported a record with an id alone.
  CREATE TABLE sources (
    no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
  );
  CREATE TABLE record_ids (
    kind smallint NOT NULL,
    source_no integer NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    brought_by integer,
    PRIMARY KEY (kind, source_no, source_id)
  );
  CREATE UNIQUE INDEX record_ids_by_id ON record_ids (kind, id);
  CREATE TABLE id_counters (kind smallint PRIMARY KEY, next_id bigint NOT NULL);
  INSERT INTO id_counters VALUES (1, 1), (2, 1);

  -- Decisions about reviews. state: hidden or erased.
  CREATE TABLE moderated_reviews (
    id bigint PRIMARY KEY,
    state text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    reason text
  );
  -- Keyed digests of the external keys of erased reviews and of erased users (R-46).
  CREATE TABLE erasures (digest bytea PRIMARY KEY, at_ms bigint NOT NULL);

  -- Decisions about places. value, imported, actor: JSON.
  CREATE TABLE overrides (
    location bigint NOT NULL,
    field text COLLATE "C" NOT NULL,
    value text NOT NULL,
    imported text,
    reason text NOT NULL,
    actor text NOT NULL,
    at_ms bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (location, field)
  );
  CREATE INDEX overrides_by_revision ON overrides (revision);

  -- revision: number of changes to decisions.
  CREATE TABLE store_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    store_id text NOT NULL,
    revision bigint NOT NULL DEFAULT 0
  );
  INSERT INTO store_identity (store_id) VALUES (gen_random_uuid());
`
