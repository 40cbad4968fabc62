/**
 * Every form of the portal and the console, sent as browsers do: with the fields of its page, once with input that is
 * refused, once from a page that someone else has overtaken, and once with input that is accepted. The tables name each
 * POST row, so that a new form needs its cases here (R-108).
 */
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { adminFault } from '../../src/domain/admin-fault.ts'
import type { WaitingJob } from '../../src/domain/job.ts'
import type { JobKind } from '../../src/domain/job-kind.ts'
import { photoIdOf } from '../../src/domain/photo.ts'
import type { SuggestedValues } from '../../src/domain/suggestion.ts'
import { everything } from '../../src/domain/visibility.ts'
import { systemClock } from '../../src/kit/clock.ts'
import type { ManagementContext } from '../../src/management/context.ts'
import { pageRoutes } from '../../src/management/pages/page-routes.ts'
import { createManagementServer } from '../../src/management/server.ts'
import { addEndpoint } from '../../src/usecases/admin/add-endpoint.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { createPartner } from '../../src/usecases/admin/create-partner.ts'
import { createToken } from '../../src/usecases/admin/create-token.ts'
import { inviteUser } from '../../src/usecases/admin/invite-user.ts'
import { newJobId } from '../../src/usecases/admin/new-job-id.ts'
import { openUpgrade } from '../../src/usecases/admin/open-upgrade.ts'
import { overrideLocation } from '../../src/usecases/admin/override-location.ts'
import { pinFeed } from '../../src/usecases/admin/pin-feed.ts'
import { suggestEdit } from '../../src/usecases/admin/suggest-edit.ts'
import { buildFeeds } from '../feeds/builds.ts'
import { record } from '../record.ts'
import { actor, configFor, importRows, scratch } from '../world.ts'
import { isOnPostgres } from '../world-database.ts'
import { locations, reviews } from '../world-rows.ts'
import type { Fields } from './page-client.ts'
import { fieldsOf, hasForm } from './page-forms.ts'
import { addUser, done, openPages, startCookie } from './served-pages.ts'

/** A form and what is sent with it. */
interface FormCase {
  /** Path to which the form is sent. */
  readonly path: string
  /**
   * Path of the page that has the form, or a function that returns its text; false if a script sends it, or if it needs
   * a state that is not made here. Default: `path`.
   */
  readonly page?: string | false | (() => Promise<string>)
  readonly who?: 'owner' | 'admin' | 'member' | 'person' | 'nobody'
  /** Values that are refused; together with `goneAs` those of a form for something that does not exist. */
  readonly wrong?: Fields
  /** Text of the form, where the page has several for the path. */
  readonly having?: string
  /** Path of the form that is shown after a refusal. Default: `path`. */
  readonly shownAs?: string
  /** Path with an id that does not exist, for a button without values. */
  readonly goneAs?: string
  /** The reason why nothing can be refused. */
  readonly never?: string
  /** Field at which the sentence is; `''` if it is about the form as a whole, missing for a button. */
  readonly at?: string
  /** Id of that field, where it is not made of its name. */
  readonly id?: string
  /** Default: 422. */
  readonly status?: number
  /** Fields whose value is not shown again: secrets, and values that no choice offers. Passwords never are. */
  readonly unkept?: readonly string[]
  /** Values that are accepted; missing: another case of the row has them. */
  readonly right?: Fields | (() => Promise<Fields> | Fields)
  /** Default: 303. */
  readonly answer?: number
}

type Sent = FormCase['right']

/** A form that is shown again with the sentence at a field; `''` for one about the form as a whole. */
const form = (path: string, at: string, wrong: Fields, right?: Sent, more: Partial<FormCase> = {}): FormCase => ({
  ...{ path, at, wrong, ...(right && { right }), ...more },
})

/** A form that is a single button. */
const button = (path: string, wrong: Fields | undefined, right?: Sent, more: Partial<FormCase> = {}): FormCase => ({
  ...{ path, ...(wrong && { wrong }), ...(right && { right }), ...more },
})

const folder = scratch()
const config = configFor(folder.path, {
  'backup.dir': folder.path,
  'imports.uploadMb': 1,
  versions: { 1: { deprecated: '2026-01-01', sunset: '2099-01-01' } },
})
await importRows(config, 'location', locations)
await importRows(config, 'review', reviews)
const pictured = {
  id: 900,
  source: 's',
  name: 'Pictured',
  lat: 1,
  lon: 2,
  photos: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
}
await importRows(config, 'location', [pictured])
const [snapshot] = await buildFeeds(config, systemClock, { kind: 'full', feeds: ['enums'], versions: ['1'] })
const bucket = { callsLeft: 1, unitsLeft: 1, penalty: { strikes: 1 } }
const opened = openPages(config, {
  limitsOf: async () => ({ package: bucket, search: bucket, autocomplete: bucket }),
  forgive: async () => undefined,
  measures: async () => ({
    ...{ startedMs: 1, memory: { usedBytes: 1, availableBytes: 1 }, responses: { all: 0, failed: 0 }, refused: 0 },
    ...{ connections: { open: 0, unsentBytes: 0, ended: 0 }, cache: { hits: 0, misses: 0 }, withheldFeeds: 0 },
    ...{ packed: { places: 0, failures: 0 }, running: { isImporting: false, isBuildingFeeds: false } },
    ...{ journal: { lagRecords: 0, lagSeconds: 0, lostFiles: 0 }, indexFailures: 0, storeFailures: 0, threads: [] },
    ...{ queries: { waiting: 0, refused: 0 }, freeBytes: 1, warnings: [] },
  }),
})
const { engine } = opened
/** Other programs are not reached: mail server, provider, receivers of webhooks, and processes of jobs. */
const abandon = (job: WaitingJob): void => void job.abandon(adminFault('job_process_ended', [], {}))
const context: ManagementContext = {
  ...opened.context,
  hasMail: true,
  sendLink: async ({ token }) => ({ url: `http://localhost/portal/link/${token}`, mail: 'failed' }),
  sendTestMail: async () => 'failed',
  oidc: {
    ...{ emailDomains: [], role: 'support', finish: async () => undefined },
    start: async () => ({ url: 'https://id.example/', verifier: '', nonce: '', state: '' }),
  },
  work: { ...opened.context.work, processes: { ...opened.context.work.processes, start: abandon } },
  webhooks: {
    ...opened.context.webhooks,
    send: async () => ({ atMs: Date.now(), durationMs: 1, status: 500, body: 'Receiver <failed>' }),
  },
}
const app = createManagementServer(context, { basePath: '', isForwarded: false, trustedProxies: [] })
/** POST routes of the user's own pages; the steps of passkeys are sent and read by a script (portal.test.ts). */
const ownRows: string[] = []
const inTable = new Set(pageRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path))
app.addHook('onRoute', ({ method, url }) => {
  if (method === 'POST' && url.startsWith('/portal/') && !inTable.has(url) && !/\/passkeys?(\/|$)/.test(url))
    ownRows.push(url)
})

await app.ready()
afterAll(async () => {
  await app.close()
  await engine.close()
  folder.remove()
})

const { admin, webhooks, identity } = context
const partner = done(await createPartner(admin, actor, { name: 'Own' }))
const closing = done(await createPartner(admin, actor, { name: 'Closing' }))
const cookies: Record<string, string> = {}
const password = 'correct horse battery'
for (const [name, staffRole] of [
  ['owner', 'owner'],
  ['colleague', 'support'],
  ['leaver', 'support'],
] as const)
  cookies[name] = (await startCookie(context, await addUser(context, name, { staffRole, memberships: [] }))).cookie
for (const name of ['admin', 'member', 'person'] as const) {
  const memberships = [{ partnerId: partner.id, role: name === 'admin' ? 'admin' : 'member' }] as const
  cookies[name] = (await startCookie(context, await addUser(context, name, { memberships }))).cookie
}
await startCookie(context, (await identity.people.users.get('user_admin'))!)
const terms = { partnerId: partner.id, packageName: 'growth', addOns: ['feeds'] } as const
const newKey = async () => done(await createKey(admin, actor, terms)).key.id
const [key, other] = [await newKey(), await newKey()]
const pin = { expectedRevision: 1, feed: 'reviews', version: '2' }
for (const id of [key, other]) done(await pinFeed(admin, actor, { ...pin, id }))
const asks = [
  { ask: { kind: 'package', packageName: 'innovate' }, keyId: key },
  { ask: { kind: 'add_on', addOn: 'recommendations' }, keyId: key },
  { ask: { kind: 'live_key' }, partnerId: partner.id },
] as const
const [toApprove, toDecline, toWithdraw] = await Promise.all(
  asks.map(async ask => done(await openUpgrade(admin, actor, { ...ask, reason: 'More' })).id),
)
const suggest = async (kind: 'phone' | 'website', values: SuggestedValues) => {
  const by = { ...actor, id: 'user_admin', partnerId: partner.id }
  return done(await suggestEdit(context.places, by, { locationId: 900n, kind, values, comment: 'Seen' })).id
}
const toAccept = `/console/suggestions/${await suggest('phone', { phones: '+34 1' })}`
const toReject = `/console/suggestions/${await suggest('website', { urls: 'https://own.example' })}`
const hook = { url: 'https://own.example/hook', types: ['key.created'] }
const newHook = async (partnerId?: string) =>
  done(await addEndpoint(webhooks, actor, { ...hook, partnerId })).endpoint.id
const [ownHook, keptHook, staffHook] = [await newHook(partner.id), await newHook(partner.id), await newHook()]
await newKey()
await engine.events.fanOut(Date.now())
const { rows: deliveries } = await engine.webhooks.deliveries({ visibility: everything, limit: 10 })
const attempt = { atMs: Date.now(), durationMs: 1, status: 500 }
for (const { id } of deliveries) await engine.events.settle({ deliveryId: id, attempt, state: 'failed' })
const passkey = { id: 'passkey', userId: 'user_person', publicKey: Buffer.alloc(9), counter: 0, name: 'Phone' }
await identity.people.credentials.addPasskey({ ...passkey, createdMs: 1 }, record())
const deliveryTo = (id: string) => deliveries.find(({ endpointId }) => endpointId === id)!.id
const { token } = done(await createToken(admin, actor, { name: 'CRM', permissions: ['keys:read'] }))
const invitation = { email: 'new@example.org', role: 'support' }
const { token: link } = done(await inviteUser(identity, actor, invitation))
const status = { id: 1n, field: 'status', value: 'CLOSED', reason: 'Seen', expectedRevision: 0 }
done(await overrideLocation(context.places, actor, status))
const startJob = async (kind: JobKind) => {
  const job = { id: newJobId(), kind, actor, request: { files: ['p.csv'] }, createdMs: Date.now() }
  return { id: job.id, running: await engine.jobs.start(job) }
}
const [backup, verify, importing] = [await startJob('backup'), await startJob('verify'), await startJob('import')]
const scanning = await startJob('scan')
for (const [scan, state] of [
  [scanning.id, 'shown'],
  ['job_hidden', 'hidden'],
] as const) {
  await context.work.scans.create(scan, { state, text: 'a' })
  await context.work.scans.add(scan, [102n])
}
const [found, foundHidden] = [`/console/reviews?scan=${scanning.id}`, '/console/reviews?scan=job_hidden']

const photo = photoIdOf({ origin: 'operator', id: 900n }, { url: pictured.photos[0]! })
const [ofPhotos, ofHidden] = [{ page: '/console/photos?place=900' }, { page: '/console/photos' }]

const [portal, ofPartner] = [`/portal/${partner.id}`, `/console/partners/${partner.id}`]
const [ofKey, ofUpgrade] = [`${ofPartner}/keys/${key}`, `/console/upgrades/${toApprove}`]
const [ownKey, hookPath, staffHookPath] = [
  `${portal}/keys/${key}`,
  `${portal}/webhooks/${ownHook}`,
  `/console/events/webhooks/${staffHook}`,
]
const [colleague, leaver] = ['/console/staff/user_colleague', '/console/staff/user_leaver']
const snapshotQuery = `feed=enums&version=1&snapshot=${snapshot!.manifest.snapshot_id}`
const gone = { goneAs: 'nothing', status: 404 } as const
const long = 'x'.repeat(2001)

const consoleCases: readonly FormCase[] = [
  button('/console/health/backup', {}, async () => ended(backup), { page: '/console/health', status: 409 }),
  button('/console/health/cancel', { job: 'nothing' }, { job: verify.id }, { page: '/console/health', status: 404 }),
  button('/console/health/verify', {}, async () => ended(verify), { page: '/console/health', status: 409 }),
  button('/console/settings/test-mail', undefined, {}, { page: '/console/settings', never: 'Nothing is entered.' }),
  button('/console/settings/test-oidc', undefined, {}, { page: '/console/settings', never: 'Nothing is entered.' }),
  button(
    '/console/events/redeliver',
    { delivery: 'nothing' },
    { delivery: deliveryTo(staffHook) },
    { page: '/console/events?show=deliveries', status: 404 },
  ),
  button('/console/events/state', { state: 'asleep' }, {}, { page: '/console/events?show=webhooks' }),
  form(
    '/console/events/webhooks/new',
    'url',
    { url: 'ftp://kept.example', types: ['import.failed'] },
    { url: 'https://b.example/' },
  ),
  form(
    `${staffHookPath}/edit`,
    'types',
    { url: 'https://kept.example/', types: [] },
    { types: ['import.failed', 'key.created'] },
  ),
  button(`${staffHookPath}/test`, undefined, {}, { ...gone, page: staffHookPath }),
  button(`${staffHookPath}/redeliver`, { delivery: 'nothing' }, {}, { page: staffHookPath, status: 404 }),
  button(`${staffHookPath}/state`, { state: 'asleep' }, {}, { page: staffHookPath }),
  button(`${staffHookPath}/rotate`, undefined, {}, { ...gone, page: staffHookPath }),
  button(`${staffHookPath}/remove`, undefined, {}, { ...gone, page: staffHookPath }),
  form(
    '/console/partners/new',
    'name',
    { name: ' ', email: 'kept@example.org', external_ref: 'Kept' },
    { name: 'New' },
  ),
  form(`${ofPartner}/edit`, 'zone', { name: 'Kept', zone: 'Mars/Base' }, { zone: 'Europe/Madrid' }),
  form(`${ofPartner}/edit`, 'live_keys_max', { name: 'Kept', live_keys_max: 'x' }),
  form(`${ofPartner}/edit`, 'email', { name: 'Kept', email: 'nobody' }),
  form(`${ofPartner}/edit`, 'agreement.quota', { 'agreement.quota': '0', 'scope.countries': 'ES' }),
  button(
    `/console/partners/${closing.id}/close`,
    undefined,
    {},
    { ...gone, page: `/console/partners/${closing.id}/edit` },
  ),
  button(
    `/console/partners/${closing.id}/open`,
    undefined,
    {},
    { ...gone, page: `/console/partners/${closing.id}/edit` },
  ),
  form(`${ofPartner}/notes`, 'text', { text: long }, { text: 'Called.' }, { page: ofPartner }),
  form(`${ofPartner}/invite`, 'email', { email: 'nobody', role: 'member' }, { email: 'ann@example.org' }),
  form(
    `${ofPartner}/keys/new`,
    'networks',
    { kind: 'test', name: 'Kept', package: 'growth', networks: 'x' },
    { name: 'Shop', package: 'growth' },
  ),
  form(`${ofPartner}/keys/new`, 'kind', { kind: 'gratis', name: 'Kept' }, undefined, { unkept: ['kind'] }),
  form(`${ofPartner}/keys/new`, 'expires_at', { name: 'Kept', package: 'growth', expires_at: '2020-01-01' }),
  form(`${ofPartner}/keys/new`, 'scope.countries', { name: 'Kept', package: 'growth', 'scope.countries': 'Spain' }),
  form(ofKey, 'notes', { name: 'Kept', package: 'growth', notes: long }, { name: 'Renamed' }),
  form(`${ofKey}/rotate`, 'overlap', { overlap: '5' }, { overlap: '3600' }, { page: ofKey, unkept: ['overlap'] }),
  button(`${ofKey}/end-secret`, { secret: 'nothing' }, {}, { page: ofKey, status: 404 }),
  button(`${ofKey}/forgive`, undefined, {}, { ...gone, page: ofKey }),
  form(
    `${ofKey}/feeds/locations/move`,
    'version',
    { version: '9' },
    {},
    { shownAs: `${ofKey}/feeds/locations`, page: `${ofKey}/feeds/locations?version=2`, unkept: ['version'] },
  ),
  button(`${ofKey}/feeds/reviews/undo`, undefined, {}, { ...gone, page: ofKey }),
  button(
    `${ofPartner}/keys/${other}/state`,
    { state: 'asleep' },
    { state: 'revoked' },
    { page: `${ofPartner}/keys/${other}` },
  ),
  form(
    `${ofUpgrade}/approve`,
    'agreement.rate',
    { 'agreement.rate': '-1', answer: 'Kept' },
    { 'agreement.quota': '100000' },
    { page: ofUpgrade },
  ),
  form(
    `/console/upgrades/${toDecline}/decline`,
    'answer',
    { answer: long },
    { answer: 'No' },
    { page: `/console/upgrades/${toDecline}`, id: 'decline-answer' },
  ),
  form(
    '/console/staff/invite',
    'email',
    { email: 'nobody', role: 'operator' },
    { email: 'bo@example.org' },
    { page: '/console/staff' },
  ),
  button(
    '/console/staff/uninvite',
    undefined,
    {},
    { page: '/console/staff', having: 'bo@example.org', never: 'A second withdrawal finds nothing left to do.' },
  ),
  form(
    '/console/staff/tokens/new',
    'permissions',
    { name: 'Kept', permissions: [], partner_id: partner.id },
    { name: 'BI', permissions: ['usage:read'] },
  ),
  form(
    '/console/staff/tokens/new',
    'partner_id',
    { name: 'Kept', permissions: ['keys:read'], partner_id: 'nobody' },
    undefined,
    { status: 404 },
  ),
  form('/console/staff/tokens/new', 'expires_at', {
    name: 'Kept',
    permissions: ['keys:read'],
    expires_at: '2020-01-01',
  }),
  button('/console/staff/tokens/revoke', { id: 'nothing' }, { id: token.id }, { page: '/console/staff', status: 404 }),
  form(`${colleague}/role`, 'role', { role: 'king' }, { role: 'operator' }, { page: colleague, unkept: ['role'] }),
  button(`${colleague}/state`, { state: 'asleep' }, {}, { page: colleague }),
  button(`${leaver}/end-sessions`, { id: 'nothing' }, {}, { page: leaver, status: 404 }),
  button(`${leaver}/link`, undefined, {}, { ...gone, page: leaver }),
  form(`${leaver}/erase`, 'email', { email: 'kept@example.org' }, { email: 'leaver@example.org' }, { page: leaver }),
  form(
    '/console/places/1/fields/coordinates',
    'latitude',
    { latitude: '99', longitude: '2.5', reason: 'Kept' },
    { latitude: '40.5', reason: 'Called' },
  ),
  form('/console/places/1/fields/coordinates', 'reason', { latitude: '41', reason: ' ' }),
  form(
    '/console/places/1/fields/status/lift',
    'reason',
    { reason: long },
    { reason: 'Open again' },
    { page: '/console/places/1/fields/status' },
  ),
  form('/console/places/3/merge', 'into', { into: 'next door', reason: 'Kept' }),
  form('/console/places/3/merge', 'into', { into: '999', reason: 'Kept' }),
  form('/console/places/3/merge', 'reason', { into: '4', reason: ' ' }, { into: '4', reason: 'One place' }),
  form('/console/places/4/remove', 'reason', { reason: long }, { reason: 'Never existed' }),
  form(
    '/console/reviews/hide',
    'reason',
    { id: ['101'], reason: ' ' },
    { id: ['101'], reason: 'Spam' },
    { page: '/console/reviews' },
  ),
  form('/console/reviews/hide', '', { reason: 'Kept' }, undefined, { page: '/console/reviews' }),
  form(
    '/console/reviews/show',
    '',
    { id: [], reason: 'Kept' },
    { id: ['101'], reason: 'A mistake' },
    { page: '/console/reviews?state=hidden' },
  ),
  form('/console/reviews/hide-found', 'reason', { reason: ' ' }, { reason: 'Spam' }, { page: found }),
  form('/console/reviews/show-found', 'reason', { reason: long }, { reason: 'A mistake' }, { page: foundHidden }),
  button('/console/reviews/cancel', { job: backup.id }, {}, { page: found, status: 404 }),
  form('/console/reviews/scan', 'user', { text: 'Kept', user: 'kept', state: 'hidden' }),
  form('/console/reviews/scan', 'text', { text: ' ', state: 'hidden' }, async () => {
    await ended(scanning)
    return { text: 'vine' }
  }),
  button('/console/reviews/erase', { ids: '999' }, {}, { page: '/console/reviews/erase?id=104' }),
  form('/console/photos/hide', 'reason', { id: [photo], reason: ' ' }, { id: [photo], reason: 'A face' }, ofPhotos),
  form('/console/photos/hide', '', { reason: 'Kept' }, undefined, ofPhotos),
  form('/console/photos/show', '', { id: [], reason: 'Kept' }, { id: [photo], reason: 'A mistake' }, ofHidden),
  button('/console/photos/erase', { ids: 'x' }, {}, { page: `/console/photos/erase?id=${photo}` }),
  button(`/console/imports/${importing.id}/import`, undefined, {}, { ...gone, page: false }),
  button(
    `/console/imports/${importing.id}/cancel`,
    undefined,
    {},
    { ...gone, page: `/console/imports/${importing.id}` },
  ),
  form(
    '/console/feeds/build',
    'feed',
    { feed: 'weather', kind: 'full' },
    { feed: 'enums' },
    { page: '/console/feeds', unkept: ['feed'] },
  ),
  form(
    '/console/feeds/withdraw',
    'reason',
    { reason: long },
    { reason: 'Wrong names' },
    { page: `/console/feeds/withdraw?${snapshotQuery}` },
  ),
  form(`${toAccept}/accept`, 'reason', { reason: long }, { reason: 'Thank you' }, { page: toAccept }),
  form(`${toReject}/reject`, 'reason', { reason: ' ' }, { reason: 'No' }, { page: toReject, id: 'reject-reason' }),
  button('/console/versions/1/notice', undefined, {}, { page: false, goneAs: '9', status: 400 }),
]

const portalCases: readonly FormCase[] = [
  form(
    `${portal}/team/invite`,
    'email',
    { email: 'nobody', role: 'admin' },
    { email: 'cy@example.org' },
    { page: `${portal}/team` },
  ),
  button(
    `${portal}/team/uninvite`,
    undefined,
    {},
    { page: `${portal}/team`, having: 'cy@example.org', never: 'A second withdrawal finds nothing left to do.' },
  ),
  button(
    `${portal}/team/role`,
    { role: 'king' },
    { role: 'admin' },
    { page: `${portal}/team`, status: 400, having: 'user_member' },
  ),
  button(
    `${portal}/team/remove`,
    { user: 'nobody' },
    {},
    { page: `${portal}/team`, status: 404, having: 'user_member' },
  ),
  form(
    `${portal}/suggestions/new`,
    'latitude',
    { latitude: '95', longitude: '2.5', comment: 'Kept' },
    { latitude: '1.5' },
    { page: `${portal}/suggestions/new?place=900&kind=position`, who: 'person' },
  ),
  form(`${portal}/suggestions/new`, 'comment', { comment: ' ' }, undefined, {
    page: `${portal}/suggestions/new?place=900&kind=other`,
  }),
  form(`${portal}/suggestions/new`, 'duplicate_of', { duplicate_of: 'kept', comment: 'Kept' }, undefined, {
    page: `${portal}/suggestions/new?place=900&kind=duplicate`,
  }),
  form(`${portal}/suggestions/new`, '', { comment: 'Kept' }, undefined, {
    page: `${portal}/suggestions/new?place=900&kind=name`,
  }),
  form(`${portal}/keys/new`, 'expires_at', { test: 'yes', name: 'Kept', expires_at: '2020-01-01' }, { name: 'Try' }),
  form(`${portal}/keys/new`, 'test', { test: 'no', name: 'Kept' }, undefined, {
    who: 'person',
    status: 403,
    unkept: ['test'],
  }),
  form(`${portal}/keys/new`, 'test', { test: 'maybe', name: 'Kept' }, undefined, { unkept: ['test'] }),
  form(`${ownKey}/edit`, 'networks', { name: 'Kept', networks: '300.1.1.1' }, { name: 'Ours' }),
  form(`${ownKey}/rotate`, 'overlap', { overlap: '5' }, { overlap: '3600' }, { unkept: ['overlap'] }),
  button(`${ownKey}/end-secret`, { secret: 'nothing' }, {}, { page: ownKey, status: 404 }),
  button(`${ownKey}/state`, { state: 'asleep' }, { state: 'disabled' }, { page: ownKey }),
  form(
    `${portal}/plan/request/quota`,
    'agreement.quota',
    { 'agreement.quota': 'many', reason: 'Kept' },
    { 'agreement.quota': '500000', reason: 'More' },
    { page: `${portal}/plan/request/quota?key=${key}` },
  ),
  button(`${portal}/plan/requests/${toWithdraw}/withdraw`, undefined, {}, { ...gone, page: `${portal}/plan` }),
  form(
    `${portal}/feeds/${key}/enums/move`,
    'version',
    { version: '9' },
    {},
    { shownAs: `${portal}/feeds/${key}/enums`, page: `${portal}/feeds/${key}/enums?version=2`, unkept: ['version'] },
  ),
  button(`${portal}/feeds/${key}/enums/undo`, undefined, {}, { ...gone, page: `${portal}/feeds?key=${key}` }),
  form(
    `${portal}/webhooks/new`,
    'url',
    { url: 'ftp://kept.example', types: ['key.created'] },
    { url: 'https://c.example/' },
  ),
  form(
    `${hookPath}/edit`,
    'url',
    { url: 'http://kept.example/', types: ['key.created'] },
    { types: ['key.created', 'key.expiring'] },
  ),
  button(`${hookPath}/test`, undefined, {}, { ...gone, page: hookPath }),
  button(`${hookPath}/redeliver`, { delivery: 'nothing' }, {}, { page: hookPath, status: 404 }),
  button(`${hookPath}/state`, { state: 'asleep' }, {}, { page: hookPath }),
  button(`${hookPath}/rotate`, undefined, {}, { ...gone, page: hookPath }),
  button(`${hookPath}/remove`, undefined, {}, { ...gone, page: hookPath }),
  button(
    `${portal}/explorer/key`,
    undefined,
    {},
    { page: false, never: 'A script reads the answer, a secret of the explorer key.', answer: 200 },
  ),
]

const nobody = { who: 'nobody' } as const
const person = { who: 'person' } as const
const profile = '/portal/profile'
const onProfile = { ...person, page: profile } as const
let authenticator: TOTP | undefined
/** The page that shows the secret of a new app, or the form of its code. */
const codeForm = async (path: string, cookie: string | undefined, fields: Fields): Promise<string> => {
  const sent = await post(path, fields, cookie)
  const { body } = sent.statusCode === 303 ? await get(String(sent.headers.location), cookie) : sent
  const secret = /<code>(\w+)<\/code>/.exec(body)
  if (secret) authenticator = new TOTP({ secret: Secret.fromBase32(secret[1]!) })
  return body
}
const codeNow = (laterMs = 0) => ({ code: authenticator!.generate({ timestamp: Date.now() + laterMs }) })

/** The pages of the user, which are in no table. */
const ownCases: readonly FormCase[] = [
  form('/portal/forgotten', 'email', { email: 'nobody' }, { email: 'kept@example.org' }, { ...nobody }),
  form(
    `/portal/link/${link}`,
    'password',
    { name: 'Kept', password: 'short' },
    { name: 'New', password },
    { ...nobody },
  ),
  button(`/portal/link/${link}`, {}, undefined, { ...nobody, page: false, status: 410 }),
  form(
    `${profile}/account`,
    'name',
    { name: long.slice(0, 201), zone: 'Asia/Tokyo' },
    { name: 'Ann' },
    { ...onProfile },
  ),
  form(`${profile}/account`, 'zone', { name: 'Kept', zone: 'Mars/Base' }, undefined, {
    ...onProfile,
    unkept: ['zone'],
  }),
  form(`${profile}/email`, 'email', { email: 'nobody' }, { email: 'ann2@example.org' }, { ...onProfile }),
  form(`${profile}/password`, 'password', { password: 'short' }, { password }, { ...onProfile }),
  form(
    `${profile}/mails`,
    'mails',
    { mails: ['journal.failing'] },
    { mails: [] },
    { who: 'admin', page: profile, unkept: ['mails'] },
  ),
  button(
    `${profile}/passkey-remove`,
    undefined,
    {},
    { ...onProfile, never: 'A second removal finds nothing left to do.' },
  ),
  button(`${profile}/end-session`, { id: 'nothing' }, {}, { who: 'admin', page: profile, status: 404 }),
  button(`${profile}/end-sessions`, undefined, {}, { ...person, page: false, never: 'Nothing is entered.' }),
  form(
    '/portal/sign-in',
    '',
    { email: 'kept@example.org', password: 'wrong password 1' },
    { email: 'person@example.org', password },
    { ...nobody, status: 401 },
  ),
  form('/portal/prove', 'password', { password: 'wrong password 2' }, { password }, { ...person, status: 401 }),
  button(`${profile}/totp`, undefined, {}, { ...onProfile, never: 'Nothing is entered.' }),
  form(`${profile}/totp-code`, 'code', { code: '000' }, () => codeNow(), {
    ...person,
    page: () => codeForm(`${profile}/totp`, cookies.person, {}),
    status: 401,
    unkept: ['code'],
  }),
  form('/portal/sign-in/code', 'code', { code: '000000' }, () => codeNow(30_000), {
    ...nobody,
    page: () => codeForm('/portal/sign-in', undefined, { email: 'person@example.org', password }),
    status: 401,
    unkept: ['code'],
  }),
  button(`${profile}/recovery-codes`, undefined, {}, { ...onProfile, never: 'Nothing is entered.' }),
  button(`${profile}/totp-remove`, undefined, {}, { ...onProfile, never: 'Nothing is entered.' }),
  button('/portal/sign-out', undefined, {}, { ...onProfile, never: 'Nothing is entered.' }),
]

/** The form that receives a file, the only one of its coding. */
const uploadCases: readonly FormCase[] = [
  form(
    '/console/imports/new',
    'format',
    { source: 'kept', format: 'docx', mode: 'check' },
    async () => ({ ...(await ended(importing)), source: 'maps' }),
    { unkept: ['format'] },
  ),
  form('/console/imports/new', 'map', { source: 'kept', map: 'taste=name' }),
  form('/console/imports/new', 'category_map', { source: 'kept', category_map: 'izakaya=eatery\nramen' }),
]

const get = (url: string, cookie: string | undefined) =>
  app.inject({ url, headers: { ...(cookie !== undefined && { cookie }) } })

const toPairs = (fields: Fields): string[][] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one]))

function post(url: string, fields: Fields, cookie: string | undefined) {
  const isUpload = url === '/console/imports/new'
  const boundary = 'form-boundary'
  const parts = toPairs(fields)
    .filter(([name]) => name !== 'file')
    .map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
  const file = 'Content-Disposition: form-data; name="file"; filename="p.csv"\r\n\r\nsource_id,name,lat,lon'
  const headers = {
    'content-type': isUpload ? `multipart/form-data; boundary=${boundary}` : 'application/x-www-form-urlencoded',
    ...(cookie !== undefined && { cookie }),
  }
  const payload = isUpload
    ? `${[...parts, file].map(part => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
    : new URLSearchParams(toPairs(fields)).toString()
  return app.inject({ method: 'POST', url, headers, payload })
}

const cookieOf = ({ who, path }: FormCase): string | undefined =>
  cookies[who ?? (path.startsWith('/portal') ? 'admin' : 'owner')]

/** Returns the fields of the form as its page has them. */
async function openForm(one: FormCase): Promise<Fields> {
  const { page = one.path, path, having } = one
  if (page === false) return {}
  const text = typeof page === 'function' ? await page() : (await get(page, cookieOf(one))).body
  if (!hasForm(text, path)) throw new Error(`${String(page)} has no form for ${path}`)
  return fieldsOf(text, path, having)
}

/** Returns the number of the newest change that a user made; jobs without a process end by themselves. */
const newestChange = async () =>
  (await context.audit.list({ visibility: everything, limit: 9 })).lines.find(line => line.actor.kind === 'user')?.seq

/** Returns what a refused form does not have. */
function missingIn(body: string, { path, shownAs = path, at, id = at, wrong = {}, unkept = [] }: FormCase): string[] {
  if (at === undefined) return /role="alert"|There is nothing at this address/.test(body) ? [] : ['sentence']
  if (!hasForm(body, shownAs)) return ['form']
  const shown = fieldsOf(body, shownAs)
  const typed = Object.entries(wrong).filter(([name]) => name !== 'password' && !unkept.includes(name))
  const lost = typed.filter(
    ([name, value]) => [shown[name] ?? []].flat().join().trim() !== [value].flat().join().trim(),
  )
  const leaked = typeof wrong.password === 'string' && body.includes(wrong.password) ? ['secrecy'] : []
  const own = [...lost.map(([name]) => `value of ${name}`), ...leaked]
  if (id === '' || id === undefined) return body.includes('role="alert"') ? own : [...own, 'sentence']
  const field = `field-${id.replaceAll('.', '-')}`
  const isLinked = new RegExp(`role="alert".*href="#${field}"`, 's').test(body)
  const isDescribed = new RegExp(`aria-describedby="[^"]*${field}-error"`).test(body)
  const sentence = new RegExp(`id="${field}-error">([^<]*)`).exec(body)?.[1] ?? ''
  const focused = [...body.matchAll(/<[^>]* id="([^"]*)"[^>]* autofocus/g)].map(([, one]) => one!.replace(/-\d+$/, ''))
  const isWhole = /^\S.*[.!]$/s.test(sentence) && !/NaN|undefined|\b(agreement|scope)\./.test(sentence)
  const checks = { summary: isLinked, description: isDescribed, sentence: isWhole, focus: focused.includes(field) }
  return [...own, ...Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]))]
}

/** Sends what is refused, and returns what is wrong with the answer. */
async function refused(one: FormCase): Promise<string[]> {
  const { path, wrong, goneAs, status = 422 } = one
  const fields = await openForm(one)
  const before = await newestChange()
  const to = goneAs === undefined ? path : path.replace(/[^/]+(?=\/[^/]+$)/, goneAs)
  const { statusCode, body } = await post(to, { ...fields, ...wrong }, cookieOf(one))
  const changed = (await newestChange()) === before ? [] : ['a change was made']
  return [...(statusCode === status ? missingIn(body, one) : [`status ${statusCode}`]), ...changed]
}

/** Sends the form of a page that someone else has overtaken, and returns what is wrong with the answer. */
async function overtaken(one: FormCase): Promise<string[]> {
  const fields = await openForm(one)
  if (fields.revision === undefined) return []
  const before = await newestChange()
  const typed = typeof one.right === 'function' ? {} : one.right
  const { statusCode, body } = await post(one.path, { ...fields, ...typed, revision: '99' }, cookieOf(one))
  if (statusCode !== 412 || !body.includes('Someone else')) return [`status ${statusCode} of an overtaken form`]
  if (one.at !== undefined && !hasForm(body, one.shownAs ?? one.path)) return ['overtaken form']
  return (await newestChange()) === before ? [] : ['an overtaken form made a change']
}

/** Sends what is accepted, and returns what is wrong with the answer: a reload must not send the form again. */
async function accepted(one: FormCase): Promise<string[]> {
  const { path, right = {}, answer = 303 } = one
  const fields = await openForm(one)
  const typed = typeof right === 'function' ? await right() : right
  const cookie = cookieOf(one)
  const { statusCode, headers } = await post(path, { ...fields, ...typed }, cookie)
  if (statusCode !== answer) return [`status ${statusCode} of an accepted form`]
  if (answer !== 303) return []
  const location = String(headers.location)
  const [first, second] = [await get(location, cookie), await get(location, cookie)]
  if (first.statusCode >= 400 || second.statusCode >= 400) return [`no page at ${location}`]
  return location.includes('once=') && first.body === second.body ? ['a page that is shown once'] : []
}

const ended = async ({ running }: Awaited<ReturnType<typeof startJob>>): Promise<Fields> => {
  await running.end({ state: 'done' })
  return {}
}

/** Returns the row of a path: the one with the fewest parameters that matches. */
const rowOf = ({ path }: FormCase): string | undefined =>
  [...inTable, ...ownRows]
    .filter(row => new RegExp(`^${row.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    .toSorted((a, b) => a.split(':').length - b.split(':').length)[0]

const allCases = [...consoleCases, ...uploadCases, ...portalCases, ...ownCases]

test('each POST row has a case, with input that is refused and input that is accepted', () => {
  expect(new Set(allCases.map(rowOf))).toEqual(new Set([...inTable, ...ownRows]))
  const wrong = allCases.filter(
    ({ wrong, goneAs, never }) => (wrong === undefined && !goneAs) === (never === undefined),
  )
  expect(wrong).toEqual([])
  const acceptedRows = allCases.filter(({ right }) => right !== undefined).map(rowOf)
  expect(new Set(acceptedRows)).toEqual(new Set([...inTable, ...ownRows]))
})

test.each([
  ['of the console', consoleCases],
  ['with a file', uploadCases],
  ['of the portal', portalCases],
  ['of the user', ownCases],
])('forms %s: refused ones return with sentence and values, accepted ones redirect', async (_name, cases) => {
  const problems: string[] = []
  for (const one of cases) {
    const found = [
      ...(one.never === undefined ? await refused(one) : []),
      ...(one.right === undefined ? [] : await overtaken(one)),
      // A database is backed up by its own tools (R-122).
      ...(one.right === undefined || (isOnPostgres() && one.path.endsWith('/backup')) ? [] : await accepted(one)),
    ]
    if (found.length > 0) problems.push(`${one.path} ${JSON.stringify(one.wrong)}: ${found.join(', ')}`)
  }
  expect(problems).toEqual([])
})

test('a path with characters that no header has leads back without an error', async () => {
  const odd = `${portal}/webhooks/a%0d%0aSet-Cookie:x/redeliver`
  const { statusCode, headers } = await post(odd, { delivery: deliveryTo(keptHook) }, cookies.admin)
  expect([statusCode, headers.location]).toEqual([303, `${portal}/webhooks/a%0D%0ASet-Cookie:x`])
})
