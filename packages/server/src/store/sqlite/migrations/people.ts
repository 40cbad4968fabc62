import type { Migration } from '../migrate.ts'

/**
 * People who sign in, their credentials and sessions. Times are milliseconds since 1970; digests are SHA-256 of random
 * tokens, and of recovery codes under the pepper. Part of control.sqlite.
 */
export const peopleMigration: Migration = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL COLLATE NOCASE UNIQUE,
    name TEXT,
    staff_role TEXT,
    password TEXT,
    totp BLOB,
    totp_step INTEGER,
    oidc_sub TEXT UNIQUE,
    zone TEXT,
    mails TEXT NOT NULL DEFAULT '{}',
    state TEXT NOT NULL,
    created INTEGER NOT NULL,
    last_sign_in INTEGER,
    revision INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE memberships (
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    partner TEXT NOT NULL REFERENCES partners (id),
    role TEXT NOT NULL,
    PRIMARY KEY (user, partner)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memberships_by_partner ON memberships (partner);

  CREATE TABLE sessions (
    digest BLOB PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    proved INTEGER,
    address TEXT,
    agent TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_user ON sessions (user);

  CREATE TABLE links (
    digest BLOB PRIMARY KEY,
    purpose TEXT NOT NULL,
    user TEXT REFERENCES users (id) ON DELETE CASCADE,
    role TEXT,
    email TEXT,
    partner TEXT REFERENCES partners (id),
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER
  ) STRICT, WITHOUT ROWID;

  -- Steps of a sign-in that wait for the next one.
  CREATE TABLE sign_ins (digest BLOB PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL, expires INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;

  CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX passkeys_by_user ON passkeys (user);

  CREATE TABLE recovery_codes (
    user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    PRIMARY KEY (user, digest)
  ) STRICT, WITHOUT ROWID;
`
