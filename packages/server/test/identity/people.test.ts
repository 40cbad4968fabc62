/** Users, links, sessions and passwords through the commands and the use cases. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { startFolderMaintenance } from '../../src/compose/folder-maintenance.ts'
import { readSessionTerms } from '../../src/compose/identity.ts'
import { startMaintenance } from '../../src/compose/maintenance.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../src/domain/admin-fault.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { acceptLink, findLink } from '../../src/usecases/admin/accept-link.ts'
import { changeMembership, changeUser } from '../../src/usecases/admin/change-user.ts'
import { type Browser, userActor } from '../../src/usecases/admin/identity.ts'
import { inviteUser } from '../../src/usecases/admin/invite-user.ts'
import { listUsers } from '../../src/usecases/admin/list-users.ts'
import { proveAgain, requireProof } from '../../src/usecases/admin/prove-again.ts'
import { readSession } from '../../src/usecases/admin/read-session.ts'
import { endSessions, listSessions } from '../../src/usecases/admin/sessions.ts'
import { signIn } from '../../src/usecases/admin/sign-in.ts'
import type { StartedSession } from '../../src/usecases/admin/start-session.ts'
import { periplus } from '../cli.ts'
import { openIdentity } from '../composed.ts'
import { listTables, readTable as readRows } from '../store-rows.ts'
import { actor, configFor, scratch } from '../world.ts'

const folder = scratch()
let shiftMs = 0
/** Time at which the clock is stopped; undefined while it runs. */
let frozenMs: number | undefined
const clock = { ...systemClock, nowMs: () => (frozenMs ?? Date.now()) + shiftMs }
const config = configFor(folder.path)
const identity = openIdentity(config, clock)
afterAll(() => {
  identity.close()
  folder.remove()
})

const run = (...args: string[]) => periplus([...args, '--data', folder.path])
const json = async (...args: string[]): Promise<Record<string, string>> => {
  const result = await run(...args, '--json')
  if (result.code !== 0) throw new Error(result.stderr)
  return result.json()
}
/** Returns all rows of a table as text. */
const readTable = async (name: string): Promise<string> => JSON.stringify(await readRows(config, 'control', name))
let addresses = 0
/** Returns a browser at another address, so that tests do not slow down one another. */
const browser = (): Browser => ({ requestId: 'r', address: `2001:db8:0:${++addresses}::1`, agent: 'Test' })
const password = 'correct horse battery'

function done<T>(outcome: T | AdminFault): T {
  if (isAdminFault(outcome)) throw new Error(JSON.stringify(outcome))
  return outcome
}
const tokenOf = (link: string | undefined): string => link!.split('/portal/link/')[1]!
const open = async (link: string | undefined, input: object = {}): Promise<StartedSession> =>
  done(await acceptLink(identity, browser(), { token: tokenOf(link), password, ...input })) as StartedSession
const invite = async (email: string, ...flags: string[]) => open((await json('users', 'invite', email, ...flags)).link)
const session = (token: string) => readSession(identity, token)

const owner = await open((await json('users', 'link', '--owner')).link, { email: 'Owner@Example.org', name: 'Olga' })
const [partnerA, partnerB] = [await json('partners', 'create', 'A'), await json('partners', 'create', 'B')].map(
  partner => partner.id!,
) as [string, string]

describe('links', () => {
  test('the owner link creates an owner once; looking at a link does not spend it', async () => {
    expect(owner.user).toMatchObject({ email: 'owner@example.org', name: 'Olga', staffRole: 'owner' })
    expect(await session(owner.token)).toMatchObject({ user: { id: owner.user.id }, session: { agent: 'Test' } })
    const { link } = await json('users', 'invite', 'once@example.org', '--role', 'support')
    const token = tokenOf(link)
    expect(await findLink(identity, { token })).toMatchObject({ purpose: 'invitation', role: 'support' })
    expect(await findLink(identity, { token })).toMatchObject({ purpose: 'invitation' })
    const outcomes = await Promise.all([1, 2, 3].map(() => acceptLink(identity, browser(), { token, password })))
    expect(outcomes.filter(isAdminFault)).toHaveLength(2)
    expect(await findLink(identity, { token })).toMatchObject({ fault: 'link_ended', reason: 'used' })
    const unknown = { token: identity.opaque.create() }
    expect(await findLink(identity, unknown)).toMatchObject({ fault: 'link_ended', reason: 'unknown' })
  })

  test('end after 24 hours, and with the next link of the same kind', async () => {
    const first = await json('users', 'invite', 'late@example.org', '--role', 'support')
    const second = await json('users', 'invite', 'late@example.org', '--role', 'support')
    expect(await findLink(identity, { token: tokenOf(first.link) })).toMatchObject({ reason: 'unknown' })
    shiftMs = 24 * 3_600_000
    expect(await findLink(identity, { token: tokenOf(second.link) })).toMatchObject({ reason: 'expired' })
    shiftMs = 0
  })

  test('a weak password does not spend the link, and the address must be valid', async () => {
    const { link } = await json('users', 'link', '--owner')
    const token = tokenOf(link)
    const weak = await acceptLink(identity, browser(), { token, email: 'o2@example.org', password: 'short' })
    expect(weak).toMatchObject({ fault: 'password_invalid', problem: 'too_short' })
    expect(await acceptLink(identity, browser(), { token, email: 'nobody' })).toMatchObject({ fault: 'email_invalid' })
    const taken = await acceptLink(identity, browser(), { token, email: 'OWNER@example.org' })
    expect(taken).toMatchObject({ fault: 'user_exists' })
    expect(await findLink(identity, { token })).toMatchObject({ purpose: 'owner' })
  })

  test('a link for recovery sets another password and ends the sessions', async () => {
    const before = await invite('lost@example.org', '--role', 'support')
    const after = await open((await json('users', 'link', 'lost@example.org')).link, { password: 'another password 1' })
    expect(after.user.id).toBe(before.user.id)
    expect(await session(before.token)).toBeUndefined()
    expect(await session(after.token)).toBeDefined()
    const old = await signIn(identity, browser(), { email: 'lost@example.org', password })
    expect(old).toMatchObject({ fault: 'sign_in_refused' })
  })
})

describe('sign-in', () => {
  test('by password gives a new token each time; neither token nor password is in the store', async () => {
    const tokens = await Promise.all(
      [1, 2].map(async () => {
        const started = done(await signIn(identity, browser(), { email: ' OWNER@example.org', password }))
        return (started as StartedSession).token
      }),
    )
    expect(new Set([...tokens, owner.token]).size).toBe(3)
    for (const file of readdirSync(folder.path).filter(name => name.startsWith('control.sqlite')))
      for (const secret of [...tokens, password])
        expect(readFileSync(`${folder.path}/${file}`).includes(secret), file).toBe(false)
  })

  test('refuses wrong passwords, unknown and disabled users alike, and slows down after five failures', async () => {
    const refused = { fault: 'sign_in_refused', fields: [] }
    expect(await signIn(identity, browser(), { email: 'x@example.org', password })).toEqual(refused)
    const { user } = await invite('off@example.org', '--role', 'support')
    await json('users', 'disable', user.id)
    expect(await signIn(identity, browser(), { email: 'off@example.org', password })).toEqual(refused)
    // A slow machine must not wait out the slow-down.
    frozenMs = Date.now()
    const from = browser()
    const wrong = { email: 'owner@example.org', password: 'wrong password 1' }
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => signIn(identity, from, wrong)))
    const faults = outcomes.map(outcome => (outcome as AdminFault).fault)
    expect(faults.filter(fault => fault === 'sign_in_slowed')).toHaveLength(3)
    expect(await signIn(identity, from, { ...wrong, password })).toMatchObject({ fault: 'sign_in_slowed' })
    expect(isAdminFault(await signIn(identity, browser(), { ...wrong, password }))).toBe(false)
    frozenMs = undefined
  })

  test('a proof counts for ten minutes and can be repeated by password', async () => {
    const { user, session, token } = await invite('proof@example.org', '--role', 'support')
    expect(requireProof(identity, session)).toBeUndefined()
    shiftMs = 10 * 60_000
    expect(requireProof(identity, session)).toMatchObject({ fault: 'proof_required' })
    expect(await proveAgain(identity, browser(), { session, user, password: 'wrong password 1' })).toMatchObject({
      fault: 'sign_in_refused',
    })
    done(await proveAgain(identity, browser(), { session, user, password }))
    expect(requireProof(identity, (await readSession(identity, token))!.session)).toBeUndefined()
    shiftMs = 0
  })
})

describe('sessions', () => {
  test('end when idle for 12 hours, after 30 days, and at once when ended', async () => {
    const { token, user } = await invite('idle@example.org', '--role', 'support')
    const hour = 3_600_000
    shiftMs = 11 * hour
    expect(await session(token)).toBeDefined()
    shiftMs = 22 * hour
    expect(await session(token)).toBeDefined()
    shiftMs = 34 * hour + 1
    expect(await session(token)).toBeUndefined()
    shiftMs = 0
    const [first, second] = [1, 2].map(() => signIn(identity, browser(), { email: user.email, password }))
    const [one, two] = (await Promise.all([first!, second!])) as [StartedSession, StartedSession]
    for (let at = 0; at < 30 * 24; at += 11) {
      shiftMs = at * hour
      expect(await session(two.token)).toBeDefined()
    }
    shiftMs = 30 * 24 * hour
    expect(await session(two.token)).toBeUndefined()
    shiftMs = 0
    const list = await run('sessions', 'list', '--user', user.email, '--json')
    expect(list.stdout).toContain(one.session.id)
    await json('sessions', 'end', one.session.id)
    expect(await session(one.token)).toBeUndefined()
    expect(await run('sessions', 'end', one.session.id)).toMatchObject({ code: 1 })
  })

  test('end with a new role, a disabled user and an erased user, whose name and address are gone', async () => {
    const { token, user } = await invite('changing@example.org', '--role', 'support')
    await json('users', 'set', user.id, '--role', 'operator')
    expect(await session(token)).toBeUndefined()
    const again = done(await signIn(identity, browser(), { email: user.email, password })) as StartedSession
    await json('users', 'disable', user.id)
    expect(await session(again.token)).toBeUndefined()
    await json('users', 'set', user.id, '--name', 'Chandra Changing')
    expect(await readTable('users')).toContain('Chandra Changing')
    await json('users', 'erase', user.id)
    const tables = await listTables(config)
    expect(tables).toEqual(expect.arrayContaining(['users', 'links', 'sessions', 'audit', 'outbox', 'event_mails']))
    const texts = await Promise.all(tables.map(async table => [table, await readTable(table)] as const))
    for (const personal of ['changing@example.org', 'Chandra Changing'])
      expect(texts.filter(([, text]) => text.includes(personal)).map(([table]) => table)).toEqual([])
    expect(await run('users', 'set', user.id, '--name', 'A')).toMatchObject({ code: 1 })
  })

  test('of other people are unknown to users who may not manage them', async () => {
    const member = await invite('m1@example.org', '--role', 'member', '--partner', partnerA)
    const as: Actor = { ...userActor(member.user, browser()), partnerId: partnerA }
    const foreign = await endSessions(identity, as, { id: owner.session.id })
    expect(foreign).toMatchObject({ fault: 'session_unknown' })
    expect(done(await listSessions(identity, as, {})).map(({ id }) => id)).toEqual([member.session.id])
    expect(done(await endSessions(identity, as, { id: member.session.id }))).toEqual({ ended: 1 })
  })
})

describe('users', () => {
  test('a user of two partners has both roles, and each partner sees its own', async () => {
    const first = await invite('two@example.org', '--role', 'admin', '--partner', partnerA)
    const { link } = await json('users', 'invite', 'two@example.org', '--role', 'member', '--partner', partnerB)
    const second = await open(link, { signedInId: first.user.id })
    expect(second.user.id).toBe(first.user.id)
    const as: Actor = { ...userActor(first.user, browser()), partnerId: partnerA }
    const seen = (await listUsers(identity, as, {})).find(({ id }) => id === first.user.id)
    expect(seen?.memberships).toEqual([{ partnerId: partnerA, role: 'admin' }])
    expect(await listUsers(identity, as, { partnerId: partnerB })).toEqual([])
    const left = await json('users', 'set', 'two@example.org', '--leave', partnerB)
    expect(left.memberships).toEqual([{ partner_id: partnerA, role: 'admin' }])
  })

  test('an invitation gives nobody the account of a user who exists: its holder must be signed in as that user', async () => {
    const victim = await invite('victim@example.org', '--role', 'admin', '--partner', partnerA)
    const attacker = await invite('attacker@example.org', '--role', 'admin', '--partner', partnerB)
    const as: Actor = { ...userActor(attacker.user, browser()), partnerId: partnerB }
    const invitation = { email: 'victim@example.org', role: 'member', partnerId: partnerB }
    const { token } = done(await inviteUser(identity, as, invitation))
    const taken = { token, password: 'password of attacker' }
    for (const signedInId of [undefined, attacker.user.id])
      expect(await acceptLink(identity, browser(), { ...taken, signedInId })).toMatchObject({ fault: 'proof_required' })
    const joined = done(await acceptLink(identity, browser(), { ...taken, signedInId: victim.user.id }))
    expect(joined).toMatchObject({ user: { id: victim.user.id, memberships: [{}, {}] } })
    // Who invites has the link as well: it is no proof in a browser that the victim left open.
    expect(requireProof(identity, (joined as StartedSession).session)).toMatchObject({ fault: 'proof_required' })
    // The password of the form is not that of the account.
    done(await signIn(identity, browser(), { email: 'victim@example.org', password }))
  })

  test('the admin of a partner manages its users and nobody else', async () => {
    const admin = await invite('admin@example.org', '--role', 'admin', '--partner', partnerB)
    const as: Actor = { ...userActor(admin.user, browser()), partnerId: partnerB }
    done(await inviteUser(identity, as, { email: 'n@example.org', role: 'member', partnerId: partnerB }))
    const elsewhere = { email: 'n@example.org', role: 'member', partnerId: partnerA }
    expect(await inviteUser(identity, as, elsewhere)).toMatchObject({ fault: 'not_permitted' })
    expect(await inviteUser(identity, as, { email: 'n@example.org', role: 'owner' })).toMatchObject({
      fault: 'not_permitted',
    })
    const staff = { id: owner.user.id, expectedRevision: 1, change: { state: 'disabled' as const } }
    const unknown = { ...staff, id: 'user_x' }
    const faults = [await changeUser(identity, as, staff), await changeUser(identity, as, unknown)]
    expect(faults).toMatchObject([{ fault: 'user_unknown' }, { fault: 'user_unknown' }])
    const role = { id: admin.user.id, expectedRevision: 1, partnerId: partnerA, role: 'admin' }
    expect(await changeMembership(identity, as, role)).toMatchObject({ fault: 'not_permitted' })
  })

  test('staff leaves no open partner without an admin, unless it has invited one', async () => {
    const partner = (await json('partners', 'create', 'Small')).id as string
    const other = (await json('partners', 'create', 'Other')).id as string
    const { user } = await invite('last@example.org', '--role', 'admin', '--partner', partner)
    await json('users', 'set', user.id, '--role', 'admin', '--partner', other)
    const refusals = [
      ['disable', user.id],
      ['set', user.id, '--leave', partner],
      ['set', user.id, '--role', 'member', '--partner', partner],
    ]
    const attempt = () => Promise.all(refusals.map(flags => run('users', ...flags)))
    const refused = { code: 1, stderr: expect.stringContaining('Make another user an admin, or invite one, first.') }
    expect(await attempt()).toEqual(refusals.map(() => expect.objectContaining(refused)))
    await json('users', 'invite', 'member@example.org', '--role', 'member', '--partner', partner)
    expect(await run('users', 'disable', user.id)).toMatchObject(refused)
    await json('users', 'invite', 'next@example.org', '--role', 'admin', '--partner', partner)
    // The other partner has no other admin.
    expect(await run('users', 'disable', user.id)).toMatchObject(refused)
    await json('partners', 'close', other)
    expect(await json('users', 'disable', user.id)).toMatchObject({ state: 'disabled' })
    // An admin who is disabled was not the last active one.
    await json('users', 'set', user.id, '--leave', partner)
  })

  test('operators manage users of partners, but no staff', async () => {
    const operator = await invite('operator@example.org', '--role', 'operator')
    const as = userActor(operator.user, browser())
    done(await inviteUser(identity, as, { email: 'p@example.org', role: 'admin', partnerId: partnerA }))
    const staff = await inviteUser(identity, as, { email: 'q@example.org', role: 'support' })
    expect(staff).toMatchObject({ fault: 'not_permitted', permission: 'users:write' })
    const self = { id: operator.user.id, expectedRevision: operator.user.revision, change: { staffRole: 'owner' } }
    expect(await changeUser(identity, as, self)).toMatchObject({ fault: 'not_permitted' })
    const name = { ...self, change: { name: 'Otto' } }
    expect(await changeUser(identity, as, name)).toMatchObject({ name: 'Otto', revision: 2 })
    expect(await changeUser(identity, as, { ...self, change: { name: 'Old' } })).toMatchObject({
      fault: 'changed_meanwhile',
    })
  })

  test('the audit names users by id, never by name, address or secret', async () => {
    const text = await readTable('audit')
    expect(text).toContain('user.invite')
    expect(text).toContain(owner.user.id)
    expect(text).not.toMatch(/example\.org|Olga|Otto|correct horse/)
  })

  test.each([
    [['users', 'invite', 'nobody', '--role', 'owner'], 2, "'nobody' is not an e-mail address."],
    [['users', 'invite', 'a@b', '--role', 'king'], 2, 'The role king does not exist here.'],
    [['users', 'invite', 'a@b', '--role', 'member'], 2, 'The role member does not exist here.'],
    [['users', 'invite', 'a@b', '--role', 'owner', '--partner', 'default'], 2, 'The role owner does not exist here.'],
    [['users', 'invite', 'a@b', '--role', 'member', '--partner', 'partner_x'], 1, 'Partner partner_x does not exist.'],
    [['users', 'invite', 'owner@example.org', '--role', 'support'], 1, 'A user with this e-mail address exists'],
    [['users', 'set', 'nobody@example.org', '--name', 'A'], 1, 'User nobody@example.org does not exist.'],
    [['users', 'set', 'owner@example.org', '--name', ' '], 2, 'The name must not be empty.'],
    [['users', 'set', 'owner@example.org', '--zone', 'Mars/Base'], 2, 'The time zone Mars/Base does not exist.'],
    [['users', 'set', 'owner@example.org', '--role', 'support'], 1, 'is the last active owner.'],
    [['users', 'disable', 'owner@example.org'], 1, 'is the last active owner.'],
    [['users', 'erase', 'owner@example.org'], 1, 'is the last active owner.'],
    [['users', 'set', 'owner@example.org', '--partner', 'x'], 2, '--partner requires --role'],
    [['users', 'link'], 2, 'Specify either a user or --owner.'],
    [['sessions', 'end'], 2, 'Specify one of a session, --user USER and --all.'],
    [['sessions', 'end', 'session_x'], 1, 'Session session_x does not exist.'],
  ])('%j is refused with a message', async (args, code, message) => {
    const result = await run(...args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(message)
  })

  test('an actor that is a token reaches no user', async () => {
    const as: Actor = { kind: 'token', id: 'token_1', via: 'api' }
    expect(await inviteUser(identity, as, { email: 'a@b.c', role: 'support' })).toMatchObject({
      fault: 'not_permitted',
    })
    expect(actor.kind).not.toBe('token')
  })
})

test('the maintenance removes sessions and links that have ended', async () => {
  const readBoth = async () => [await readTable('sessions'), await readTable('links')]
  const before = await readBoth()
  expect(before).not.toContain('[]')
  const engine = openConfiguredEngine(config, { create: false })
  const errors: unknown[] = []
  const kept = engine.jobs.folderOf('kept')
  mkdirSync(kept, { recursive: true })
  writeFileSync(join(kept, 'job'), 'input of a dry run')
  utimesSync(join(kept, 'job'), 0, 0)
  const maintain = (days: number) =>
    startMaintenance(engine, {
      index: `${folder.path}/none`,
      feeds: `${folder.path}/feeds`,
      keepDays: 30,
      keepDeltaDays: 35,
      keepAuditDays: config.audit.keepDays,
      sessions: readSessionTerms(config),
      blobs: undefined,
      nowMs: () => clock.nowMs() + days * 86_400_000,
      onError: error => errors.push(error),
    }).stop()
  await maintain(0)
  await startFolderMaintenance(engine, { rejects: undefined, onError: error => errors.push(error) }).stop()
  expect(readdirSync(kept)).toEqual([])
  expect(await readBoth()).toEqual(before)
  await maintain(100)
  expect(await readBoth()).toEqual(['[]', '[]'])
  expect(errors).toEqual([])
  await engine.close()
})
