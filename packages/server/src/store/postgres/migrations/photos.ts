/** SQL condition for a review with photos: JSON escapes the quotes of texts, so that only a member is found. */
const hasPhotos = (row: string) => `strpos(${row}.record, '"photos":[') > 0`

/**
 * The shown reviews with photos, which triggers maintain, and decisions about photos. Reviews that older
 * releases have stored have no photos.
 */
export const photosMigration = `
  CREATE TABLE photo_reviews (
    location_id bigint NOT NULL,
    published_ms bigint NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (location_id, published_ms, id)
  );
  CREATE TABLE moderated_photos (
    photo text COLLATE "C" PRIMARY KEY,
    state text COLLATE "C" NOT NULL,
    reason text,
    at_ms bigint NOT NULL
  );

  CREATE FUNCTION add_photo_review() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO photo_reviews VALUES (NEW.location_id, NEW.published_ms, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE FUNCTION remove_photo_review() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM photo_reviews
      WHERE location_id = OLD.location_id AND published_ms = OLD.published_ms AND id = OLD.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER photos_removed AFTER DELETE OR UPDATE ON reviews FOR EACH ROW
    WHEN (${hasPhotos('OLD')}) EXECUTE FUNCTION remove_photo_review();
  CREATE TRIGGER photos_written AFTER INSERT OR UPDATE ON reviews FOR EACH ROW
    WHEN (${hasPhotos('NEW')}) EXECUTE FUNCTION add_photo_review();
`
