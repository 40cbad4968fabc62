import type { PartnerRole, StaffRole } from '../../domain/admin-permission.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { MailChoices, Membership, User, UserChange, UserRefusal, UserStore } from '../../domain/user.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'

interface UserRow {
  id: string
  email: string
  name: string | null
  staff_role: string | null
  has_password: number
  has_totp: number
  passkeys: number
  codes: number
  has_oidc: number
  zone: string | null
  mails: string
  state: string
  unconfirmed: number
  created: number
  last_sign_in: number | null
  revision: number
  memberships: string
}

const select = `SELECT id, email, name, staff_role, password IS NOT NULL AS has_password, totp IS NOT NULL AS has_totp,
  (SELECT count(*) FROM passkeys p WHERE p.user = users.id) AS passkeys,
  (SELECT count(*) FROM recovery_codes c WHERE c.user = users.id) AS codes,
  oidc_sub IS NOT NULL AS has_oidc, zone, mails, state, unconfirmed, created, last_sign_in,
  revision, (SELECT json_group_array(json_object('partnerId', partner, 'role', role)) FROM
    (SELECT partner, role FROM memberships m WHERE m.user = users.id ORDER BY partner)) AS memberships
  FROM users`

/** Returns a function that reads a user; also used where a change must answer with its result. */
export function prepareUserRead(control: Sqlite): (id: string) => User | undefined {
  const one = control.prepare<[string], UserRow>(`${select} WHERE id = ?`)
  return id => {
    const row = one.get(id)
    return row && userOf(control, row)
  }
}

/**
 * Returns a function that stores the members of a user, and a function that adds a user. Call them in a transaction.
 */
export function prepareUserWrites(control: Sqlite): { add(user: User): void; set(user: User): void } {
  const insert = control.prepare(
    `INSERT INTO users (id, email, name, staff_role, zone, mails, state, unconfirmed, created, revision)
     VALUES (@id, @email, @name, @staffRole, @zone, @mails, @state, @unconfirmed, @createdMs, @revision)`,
  )
  const update = control.prepare(
    `UPDATE users SET email = @email, name = @name, staff_role = @staffRole, zone = @zone, mails = @mails,
       state = @state, unconfirmed = @unconfirmed, revision = revision + 1 WHERE id = @id`,
  )
  const leave = control.prepare('DELETE FROM memberships WHERE user = ?')
  const join = control.prepare('INSERT INTO memberships (user, partner, role) VALUES (?, ?, ?)')
  const setMemberships = ({ id, memberships }: User) => {
    leave.run(id)
    for (const { partnerId, role } of memberships) join.run(id, partnerId, role)
  }
  return {
    add: user => {
      insert.run(columnsOf(user))
      setMemberships(user)
    },
    set: user => {
      update.run(columnsOf(user))
      setMemberships(user)
    },
  }
}

/** Opens the users in control.sqlite. */
export function createSqliteUsers(control: Sqlite): UserStore {
  const read = prepareUserRead(control)
  const byEmail = control.prepare<[string], UserRow>(`${select} WHERE email = ?`)
  const bySub = control.prepare<[string], UserRow>(`${select} WHERE oidc_sub = ?`)
  const all = control.prepare<[], UserRow>(`${select} ORDER BY created, id`)
  const ofPartner = control.prepare<[string], UserRow>(
    `${select} WHERE id IN (SELECT user FROM memberships WHERE partner = ?) ORDER BY created, id`,
  )
  const owners = control.prepare<[string], number>(ownersBut).pluck()
  const toUser = (row: UserRow | undefined) => row && userOf(control, row)
  return {
    get: async id => read(id),
    byEmail: async email => toUser(byEmail.get(email)),
    byOidcSub: async sub => toUser(bySub.get(sub)),
    list: async partnerId =>
      (partnerId === undefined ? all.all() : ofPartner.all(partnerId)).map(row => userOf(control, row)),
    hasOwner: async () => owners.get('')! > 0,
    ...userChanges(control),
  }
}

/** Counts the active owners other than one. */
const ownersBut = "SELECT count(*) FROM users WHERE staff_role = 'owner' AND state = 'active' AND id <> ?"

function userChanges(control: Sqlite): Pick<UserStore, 'create' | 'update' | 'erase'> {
  const read = prepareUserRead(control)
  const { add, set } = prepareUserWrites(control)
  const write = createRecordWriter(control)
  const emailUser = control.prepare<[string], string>('SELECT id FROM users WHERE email = ?').pluck()
  const owners = control.prepare<[string], number>(ownersBut).pluck()
  const losesAdmin = prepareLastAdmin(control)
  const remove = control.prepare('DELETE FROM users WHERE id = ?')
  const removeLinks = control.prepare('DELETE FROM links WHERE email = ?')
  const endSessions = control.prepare('DELETE FROM sessions WHERE user = ?')
  const create = control.transaction((user: User, record: ChangeRecord) => {
    if (emailUser.get(user.email) !== undefined) return false
    add(user)
    write(record)
    return true
  }).immediate
  const update = control.transaction(
    (
      { id, expected, invitedAtMs }: { id: string; expected: number; invitedAtMs: number | undefined },
      change: UserChange,
      record: ChangeRecord,
    ): User | UserRefusal => {
      const before = read(id)
      if (before?.revision !== expected) return 'changed_meanwhile'
      const after = applyChange(before, change)
      const holder = emailUser.get(after.email)
      if (holder !== undefined && holder !== id) return 'email_used'
      if (isOwner(before) && !isOwner(after) && owners.get(id) === 0) return 'last_owner'
      if (losesAdmin(before, after, invitedAtMs)) return 'last_admin'
      set(after)
      // A session never has more rights than its user, and a new role comes with a new token.
      if (accessOf(before) !== accessOf(after)) endSessions.run(id)
      write(record)
      return read(id)!
    },
  ).immediate
  const erase = control.transaction((id: string, record: ChangeRecord) => {
    const user = read(id)
    if (!user) return 'unknown'
    if (isOwner(user) && owners.get(id) === 0) return 'last_owner'
    removeLinks.run(user.email)
    remove.run(id)
    write(record)
    return 'erased'
  }).immediate
  return {
    create: async (user, record) => create(user, record),
    update: async (id, expected, change, record, invitedAtMs) => update({ id, expected, invitedAtMs }, change, record),
    erase: async (id, record) => erase(id, record),
  }
}

const isOwner = ({ staffRole, state }: User): boolean => staffRole === 'owner' && state === 'active'

/** Returns a function that says if a change of a user leaves an open partner without an admin, present or invited. */
function prepareLastAdmin(control: Sqlite): (before: User, after: User, invitedAtMs: number | undefined) => boolean {
  const others = control
    .prepare<[{ partner: string; user: string; invitedAtMs: number | null }], number>(
      `SELECT (SELECT count(*) FROM memberships m JOIN users u ON u.id = m.user
               WHERE m.partner = @partner AND m.role = 'admin' AND u.state = 'active' AND u.id <> @user)
         + (SELECT count(*) FROM links WHERE purpose = 'invitation' AND partner = @partner AND role = 'admin'
              AND used IS NULL AND expires > @invitedAtMs)
         + (SELECT count(*) FROM partners WHERE id = @partner AND state = 'closed')`,
    )
    .pluck()
  return (before, after, invitedAtMs) =>
    before.memberships.some(
      ({ partnerId }) =>
        isAdmin(before, partnerId) &&
        !isAdmin(after, partnerId) &&
        others.get({ partner: partnerId, user: before.id, invitedAtMs: invitedAtMs ?? null }) === 0,
    )
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

const userOf = (control: Sqlite, row: UserRow): User => ({
  id: row.id,
  email: row.email,
  ...(row.name !== null && { name: row.name }),
  ...(row.staff_role !== null && { staffRole: row.staff_role as StaffRole }),
  memberships: control
    .parseJson<{ partnerId: string; role: PartnerRole }[]>(row.memberships)
    .map(({ partnerId, role }): Membership => ({ partnerId, role })),
  ...(row.zone !== null && { zone: row.zone }),
  ...(row.mails !== '{}' && { mails: control.parseJson<MailChoices>(row.mails) }),
  state: row.state as User['state'],
  ...(row.unconfirmed === 1 && { unconfirmed: true }),
  factors: {
    password: row.has_password === 1,
    totp: row.has_totp === 1,
    oidc: row.has_oidc === 1,
    passkeys: row.passkeys,
    recoveryCodes: row.codes,
  },
  createdMs: row.created,
  ...(row.last_sign_in !== null && { lastSignInMs: row.last_sign_in }),
  revision: row.revision,
})

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
