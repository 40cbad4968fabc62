import type { PartnerRole, StaffRole } from '../../domain/admin-permission.ts'
import type { MailChoices, User, UserChange, UserRefusal, UserStore } from '../../domain/user.ts'
import { writeRecord } from './change-record.ts'
import { all, get, type JsonColumns, run, type SqlDatabase, type SqlParams, type SqlWork } from './database.ts'

interface UserRow {
  id: string
  email: string
  name: string | null
  staff_role: string | null
  has_password: number | boolean
  has_totp: number | boolean
  passkeys: number
  codes: number
  has_oidc: number | boolean
  zone: string | null
  mails: string
  state: string
  unconfirmed: number | boolean
  created: number
  last_sign_in: number | null
  revision: number
  /** A membership; a user with several has several rows. */
  partner: string | null
  role: string | null
}

/** Reads the users whom a condition on `u` selects, with their memberships, oldest first. */
function* readUsers(
  db: JsonColumns,
  condition: string,
  params: SqlParams,
  order = 'u.created, u.id, m.partner',
): SqlWork<User[]> {
  const rows = yield* all<UserRow>(
    `SELECT u.id, u.email, u.name, u.staff_role,
       u.password IS NOT NULL AS has_password, u.totp IS NOT NULL AS has_totp,
       (SELECT count(*) FROM passkeys p WHERE p."user" = u.id) AS passkeys,
       (SELECT count(*) FROM recovery_codes c WHERE c."user" = u.id) AS codes,
       u.oidc_sub IS NOT NULL AS has_oidc, u.zone, u.mails, u.state, u.unconfirmed, u.created, u.last_sign_in,
       u.revision, m.partner, m.role
     FROM users u LEFT JOIN memberships m ON m."user" = u.id WHERE ${condition} ORDER BY ${order}`,
    params,
  )
  return [...Map.groupBy(rows, ({ id }) => id).values()].map(ofUser => userOf(db, ofUser))
}

/** `condition` has IN: SQLite would prepare a statement with = and an outer join again for each value. */
function* readOne(db: JsonColumns, condition: string, params: SqlParams): SqlWork<User | undefined> {
  // Memberships are found in this order, without sorting.
  return (yield* readUsers(db, condition, params, 'm.partner'))[0]
}

/** Reads a user. */
export const readUser = (db: JsonColumns, id: string): SqlWork<User | undefined> => readOne(db, 'u.id IN (@id)', { id })

/** Adds a user. Part of a transaction. */
export function* insertUser(user: User): SqlWork<void> {
  yield* run(
    `INSERT INTO users (id, email, name, staff_role, zone, mails, state, unconfirmed, created, revision)
     VALUES (@id, @email, @name, @staffRole, @zone, @mails, @state, @unconfirmed, @createdMs, @revision)`,
    columnsOf(user),
  )
  yield* setMemberships(user)
}

/** Stores the members of a user. Part of a transaction. */
export function* setUser(user: User): SqlWork<void> {
  yield* run(
    `UPDATE users SET email = @email, name = @name, staff_role = @staffRole, zone = @zone, mails = @mails,
       state = @state, unconfirmed = @unconfirmed, revision = revision + 1 WHERE id = @id`,
    columnsOf(user),
  )
  yield* setMemberships(user)
}

function* setMemberships({ id, memberships }: User): SqlWork<void> {
  yield* run('DELETE FROM memberships WHERE "user" = @id', { id })
  for (const { partnerId, role } of memberships)
    yield* run('INSERT INTO memberships ("user", partner, role) VALUES (@id, @partnerId, @role)', {
      id,
      partnerId,
      role,
    })
}

/** Opens the users. */
export const createUsers = (db: SqlDatabase): UserStore => ({
  get: id => db.perform(readUser(db, id)),
  byEmail: email => db.perform(readOne(db, 'u.email IN (@email)', { email })),
  byOidcSub: sub => db.perform(readOne(db, 'u.oidc_sub IN (@sub)', { sub })),
  list: partnerId =>
    db.perform(
      partnerId === undefined
        ? readUsers(db, 'true', {})
        : readUsers(db, 'u.id IN (SELECT "user" FROM memberships WHERE partner = @partnerId)', { partnerId }),
    ),
  hasOwner: () => db.perform(hasOtherOwner('')),
  create: (user, record) =>
    db.transaction(function* () {
      if ((yield* emailHolder(user.email)) !== undefined) return false
      yield* insertUser(user)
      yield* writeRecord(record)
      return true
    }),
  update: (id, expected, change, record, invitedAtMs) =>
    db.transaction(function* () {
      const before = yield* readUser(db, id)
      if (before?.revision !== expected) return 'changed_meanwhile'
      const after = applyChange(before, change)
      const refusal = yield* refusalOf(before, after, invitedAtMs)
      if (refusal) return refusal
      yield* setUser(after)
      // A session never has more rights than its user, and a new role comes with a new token.
      if (accessOf(before) !== accessOf(after)) yield* run('DELETE FROM sessions WHERE "user" = @id', { id })
      yield* writeRecord(record)
      return (yield* readUser(db, id))!
    }),
  erase: (id, record) =>
    db.transaction(function* () {
      const user = yield* readUser(db, id)
      if (!user) return 'unknown'
      if (isOwner(user) && !(yield* hasOtherOwner(id))) return 'last_owner'
      yield* run('DELETE FROM links WHERE email = @email', { email: user.email })
      yield* run('DELETE FROM users WHERE id = @id', { id })
      yield* writeRecord(record)
      return 'erased'
    }),
})

/** Returns the id of the user with an e-mail address. */
function* emailHolder(email: string): SqlWork<string | undefined> {
  return (yield* get<{ id: string }>('SELECT id FROM users WHERE email = @email', { email }))?.id
}

/** Returns true if there is an active owner other than this user. */
function* hasOtherOwner(id: string): SqlWork<boolean> {
  const sql = "SELECT id FROM users WHERE staff_role = 'owner' AND state = 'active' AND id <> @id LIMIT 1"
  return (yield* get(sql, { id })) !== undefined
}

/** Returns the reason why a change of a user is refused. Part of the transaction of the change. */
function* refusalOf(before: User, after: User, invitedAtMs: number | undefined): SqlWork<UserRefusal | undefined> {
  const holder = yield* emailHolder(after.email)
  if (holder !== undefined && holder !== before.id) return 'email_used'
  if (isOwner(before) && !isOwner(after) && !(yield* hasOtherOwner(before.id))) return 'last_owner'
  for (const { partnerId } of before.memberships) {
    if (!isAdmin(before, partnerId) || isAdmin(after, partnerId)) continue
    if (!(yield* hasOtherAdmin(partnerId, before.id, invitedAtMs))) return 'last_admin'
  }
  return undefined
}

const isOwner = ({ staffRole, state }: User): boolean => staffRole === 'owner' && state === 'active'

/** Returns true if an open partner has an admin other than this user, present or invited, and if it is closed. */
function* hasOtherAdmin(partnerId: string, userId: string, invitedAtMs: number | undefined): SqlWork<boolean> {
  const found = yield* get(
    `SELECT 1 FROM memberships m JOIN users u ON u.id = m."user"
     WHERE m.partner = @partnerId AND m.role = 'admin' AND u.state = 'active' AND u.id <> @userId
     UNION ALL
     SELECT 1 FROM links WHERE purpose = 'invitation' AND partner = @partnerId AND role = 'admin' AND used IS NULL
       AND expires > @invitedAtMs
     UNION ALL
     SELECT 1 FROM partners WHERE id = @partnerId AND state = 'closed' LIMIT 1`,
    { partnerId, userId, invitedAtMs: invitedAtMs ?? null },
  )
  return found !== undefined
}

const isAdmin = ({ memberships, state }: User, partner: string): boolean =>
  state === 'active' && memberships.some(({ partnerId, role }) => partnerId === partner && role === 'admin')

const accessOf = ({ staffRole, memberships, state }: User): string => JSON.stringify([staffRole, memberships, state])

/** Returns a user with a change applied. */
export function applyChange(user: User, change: UserChange): User {
  const after: Record<string, unknown> = { ...user }
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = value
  }
  return after as unknown as User
}

/** Returns the user of its rows, one for each membership. */
function userOf(db: JsonColumns, rows: readonly UserRow[]): User {
  const row = rows[0]!
  return {
    id: row.id,
    email: row.email,
    ...(row.name !== null && { name: row.name }),
    ...(row.staff_role !== null && { staffRole: row.staff_role as StaffRole }),
    memberships: rows.flatMap(({ partner, role }) =>
      partner === null ? [] : { partnerId: partner, role: role as PartnerRole },
    ),
    ...(row.zone !== null && { zone: row.zone }),
    ...(row.mails !== '{}' && { mails: db.parseJson<MailChoices>(row.mails) }),
    state: row.state as User['state'],
    ...(Boolean(row.unconfirmed) && { unconfirmed: true }),
    factors: {
      password: Boolean(row.has_password),
      totp: Boolean(row.has_totp),
      oidc: Boolean(row.has_oidc),
      passkeys: row.passkeys,
      recoveryCodes: row.codes,
    },
    createdMs: row.created,
    ...(row.last_sign_in !== null && { lastSignInMs: row.last_sign_in }),
    revision: row.revision,
  }
}

const columnsOf = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name ?? null,
  staffRole: user.staffRole ?? null,
  zone: user.zone ?? null,
  mails: JSON.stringify(user.mails ?? {}),
  state: user.state,
  unconfirmed: user.unconfirmed ? 1 : 0,
  createdMs: user.createdMs,
  revision: user.revision,
})
