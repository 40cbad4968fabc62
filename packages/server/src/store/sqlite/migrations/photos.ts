import type { Migration } from '../migrate.ts'

/** SQL condition for a review with photos: JSON escapes the quotes of texts, so that only a member is found. */
const hasPhotos = (row: string) => `instr(${row}.record, '"photos":[') > 0`

/** The shown reviews with photos, which are few. Part of data.sqlite. */
export const photoReviewsMigration: Migration = `
  CREATE TABLE photo_reviews (
    location_id INTEGER NOT NULL,
    published_ms INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (location_id, published_ms DESC, id DESC)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER photos_added AFTER INSERT ON reviews WHEN ${hasPhotos('new')} BEGIN
    INSERT OR IGNORE INTO photo_reviews VALUES (new.location_id, new.published_ms, new.id);
  END;
  CREATE TRIGGER photos_removed AFTER DELETE ON reviews WHEN ${hasPhotos('old')} BEGIN
    DELETE FROM photo_reviews WHERE location_id = old.location_id AND published_ms = old.published_ms AND id = old.id;
  END;
  CREATE TRIGGER photos_changed AFTER UPDATE OF location_id, published_ms, record ON reviews
    WHEN ${hasPhotos('old')} OR ${hasPhotos('new')} BEGIN
    DELETE FROM photo_reviews WHERE location_id = old.location_id AND published_ms = old.published_ms AND id = old.id;
    INSERT OR IGNORE INTO photo_reviews SELECT new.location_id, new.published_ms, new.id WHERE ${hasPhotos('new')};
  END;
`

/** Decisions about photos. Part of control.sqlite, so that they survive a rebuild of the data store. */
export const moderatedPhotosMigration: Migration = `
  -- state: hidden or erased.
  CREATE TABLE moderated_photos (
    photo TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    reason TEXT,
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`
