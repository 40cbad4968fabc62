import type { Migration } from '../migrate.ts'
import { adminTokensMigration } from './admin-tokens.ts'
import { auditMigration } from './audit.ts'
import { eventMailsMigration, eventsMigration, operatorEventsMigration } from './events.ts'
import { hiddenReasonsMigration } from './hidden-reasons.ts'
import { folderIdentityMigration, revisionMigration } from './identity.ts'
import { importRunsMigration, jobsMigration } from './jobs.ts'
import { keyBoundsMigration, keySecretsMigration, secretCallsMigration } from './keys.ts'
import { journalFilesMigration, ledgerMigration, opaquePositionMigration } from './ledger.ts'
import { idempotencyMigration } from './management.ts'
import { decisionsMigration } from './moderation.ts'
import { overridesMigration } from './overrides.ts'
import { listIndexesMigration, partnerTermsMigration } from './partners.ts'
import { forgivenPenaltiesMigration } from './penalties.ts'
import { peopleMigration } from './people.ts'
import { moderatedPhotosMigration } from './photos.ts'
import { suggestionsMigration } from './suggestions.ts'
import { syncsMigration } from './syncs.ts'
import { unconfirmedMigration } from './unconfirmed.ts'
import { upgradesMigration } from './upgrades.ts'
import { usageEighthsMigration, usageIndexesMigration } from './usage.ts'
import { usageExportsMigration } from './usage-exports.ts'

/** Migrations of control.sqlite. Append only: a released migration is never edited. */
export const controlMigrations: readonly Migration[] = [
  `
  CREATE TABLE partners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    external_ref TEXT,
    created_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    name TEXT,
    test INTEGER NOT NULL,
    package TEXT NOT NULL,
    add_ons TEXT NOT NULL,
    agreement TEXT NOT NULL,
    scope TEXT NOT NULL,
    state TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;

  -- A key's secrets, as digests only (R-02); a rotation adds one and expires the others.
  CREATE TABLE key_secrets (
    digest BLOB PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES keys (id),
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_secrets_by_key ON key_secrets (key_id);

  -- Incremented by every change of a key or partner, so that a serving process detects it with one read.
  CREATE TABLE revision (access INTEGER NOT NULL) STRICT;
  INSERT INTO revision VALUES (0);

  -- Ids, assigned once for each (source, source_id) and never reused (R-20). kind 1: location, 2: review.
  CREATE TABLE sources (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE record_ids (
    kind INTEGER NOT NULL,
    source_no INTEGER NOT NULL,
    source_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (kind, source_no, source_id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX record_ids_by_id ON record_ids (kind, id);
  CREATE TABLE id_counters (kind INTEGER PRIMARY KEY, next_id INTEGER NOT NULL) STRICT;
  INSERT INTO id_counters VALUES (1, 1), (2, 1);
  `,
  ledgerMigration,
  `
  -- Pinned version of each feed (SPEC §9.1.8); 1 was the latest stable version when the existing keys were created.
  ALTER TABLE keys ADD COLUMN feed_pins TEXT NOT NULL
    DEFAULT '{"locations":"1","reviews":"1","geos":"1","enums":"1"}';
  CREATE TABLE feed_pin_changes (
    key_id TEXT NOT NULL REFERENCES keys (id),
    feed TEXT NOT NULL,
    from_version TEXT NOT NULL,
    to_version TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  `,
  decisionsMigration,
  `
  -- The source that last imported a record with an id alone; NULL for all other records.
  ALTER TABLE record_ids ADD COLUMN brought_by INTEGER;
  `,
  `
  -- Number of changes of a row; a change based on a stale read is refused.
  ALTER TABLE partners ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
  `,
  opaquePositionMigration,
  folderIdentityMigration,
  journalFilesMigration,
  revisionMigration,
  keyBoundsMigration,
  auditMigration,
  usageIndexesMigration,
  adminTokensMigration,
  peopleMigration,
  jobsMigration,
  usageExportsMigration,
  partnerTermsMigration,
  keySecretsMigration,
  overridesMigration,
  eventsMigration,
  upgradesMigration,
  idempotencyMigration,
  eventMailsMigration,
  forgivenPenaltiesMigration,
  hiddenReasonsMigration,
  listIndexesMigration,
  importRunsMigration,
  unconfirmedMigration,
  secretCallsMigration,
  usageEighthsMigration,
  operatorEventsMigration,
  '-- Limit states have the bucket of autocomplete, which earlier releases cannot load.',
  moderatedPhotosMigration,
  syncsMigration,
  suggestionsMigration,
]
