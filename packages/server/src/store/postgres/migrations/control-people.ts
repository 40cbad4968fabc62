import { text } from './text-column.ts'

/** The tables of people who sign in. */
export function people(): string {
  return `
  CREATE TABLE users (
    id ${text} PRIMARY KEY,
    email ${text} NOT NULL UNIQUE,
    name text,
    staff_role ${text},
    password text,
    totp bytea,
    totp_step bigint,
    oidc_sub ${text} UNIQUE,
    zone text,
    mails text NOT NULL,
    state ${text} NOT NULL,
    unconfirmed smallint NOT NULL,
    created bigint NOT NULL,
    last_sign_in bigint,
    revision bigint NOT NULL
  );
  CREATE UNIQUE INDEX users_by_lower_email ON users (lower(email));
  CREATE TABLE memberships (
    "user" ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    partner ${text} NOT NULL REFERENCES partners (id),
    role ${text} NOT NULL,
    PRIMARY KEY ("user", partner)
  );
  CREATE INDEX memberships_by_partner ON memberships (partner);
  CREATE TABLE sessions (
    digest bytea PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    "user" ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created bigint NOT NULL,
    seen bigint NOT NULL,
    proved bigint,
    address text,
    agent text
  );
  CREATE INDEX sessions_by_user ON sessions ("user");
  CREATE TABLE links (
    digest bytea PRIMARY KEY,
    purpose ${text} NOT NULL,
    "user" ${text} REFERENCES users (id) ON DELETE CASCADE,
    role ${text},
    email ${text},
    partner ${text} REFERENCES partners (id),
    created bigint NOT NULL,
    expires bigint NOT NULL,
    used bigint,
    mailed smallint NOT NULL DEFAULT 0
  );
  CREATE INDEX links_by_user ON links ("user");
  -- Steps of a sign-in that wait for the next one.
  CREATE TABLE sign_ins (digest bytea PRIMARY KEY, kind ${text} NOT NULL, data text NOT NULL, expires bigint NOT NULL);
  CREATE TABLE passkeys (
    id ${text} PRIMARY KEY,
    "user" ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL
  );
  CREATE INDEX passkeys_by_user ON passkeys ("user");
  CREATE TABLE recovery_codes (
    "user" ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest bytea NOT NULL,
    PRIMARY KEY ("user", digest)
  );`
}
