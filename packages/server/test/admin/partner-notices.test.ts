import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import type { ServedVersion } from '../../src/domain/lifecycle.ts'
import type { UsageReport, UsageReports } from '../../src/domain/usage-report.ts'
import { systemClock } from '../../src/kit/clock.ts'
import type { PartnerRequest } from '../../src/management/pages/page-route.ts'
import { noticeText } from '../../src/management/partner/notices.ts'
import { changeKey } from '../../src/usecases/admin/change-key.ts'
import { declineUpgrade } from '../../src/usecases/admin/decline-upgrade.ts'
import { openUpgrade } from '../../src/usecases/admin/open-upgrade.ts'
import { findNotices } from '../../src/usecases/admin/partner-notices.ts'
import { openAdmin } from '../composed.ts'
import { actor, configFor, makeFolder, makeKey, scratch } from '../world.ts'

const dayMs = 86_400_000
const nowMs = systemClock.nowMs()
const folder = scratch()
const config = configFor(folder.path)
let admin: ReturnType<typeof openAdmin>
beforeAll(() => {
  makeFolder(config)
  admin = openAdmin(config)
})
afterAll(async () => {
  await admin.close()
  folder.remove()
})

const version = (name: string, more: Partial<ServedVersion> = {}): ServedVersion => ({
  name,
  status: 'stable',
  isDefault: false,
  ...more,
})
/** Id of the key that downloads. */
let downloader = ''
const row = (day: string, operation: string, name: string) => ({
  day,
  key: downloader,
  operation,
  version: name,
  calls: 5,
  units: 5,
  billableUnits: 5,
})
const usageOf = (rows: UsageReport['rows']): UsageReports => ({
  report: async ({ fromMs }) => {
    const after = rows.filter(({ day }) => Date.parse(String(day)) >= fromMs)
    return { calls: 5, units: 5, billableUnits: 5, rows: after }
  },
  statement: () => Promise.reject(new Error('A notice needs no statement.')),
  countedTo: async () => Number.POSITIVE_INFINITY,
  relyingKeys: async () => [],
})

const find = async (rows: UsageReport['rows'], versions: readonly ServedVersion[] = []) => {
  const stores = { ...admin, usage: usageOf(rows), versions: () => versions }
  const found = await findNotices(stores, actor, { partnerId: 'tester' })
  if (isAdminFault(found)) throw new Error(found.fault)
  return found
}
const wordsOf = async (...args: Parameters<typeof find>) => {
  const request = { site: { basePath: '/base' }, partner: { id: 'tester' }, zone: 'UTC', nowMs } as PartnerRequest
  return (await find(...args)).map(found =>
    noticeText(found, request)
      .text.replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' '),
  )
}
const dayBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString().slice(0, 10)

test('a partner without a matter has no notices', async () => {
  downloader = (await makeKey(config, { packageName: 'innovate', addOns: ['feeds'] })).id
  expect(
    await find([row(dayBefore(1), 'downloadFeedFile', '1')], [version('1'), version('0', { status: 'retired' })]),
  ).toEqual([])
})

test.each([
  ['deprecated and called', version('1', { status: 'deprecated' }), 'is deprecated. It received 5 calls of yours'],
  ['near its sunset and called', version('1', { sunsetMs: nowMs + 100 * dayMs }), '1 will be retired in 100 days, on '],
  [
    'deprecated and near its sunset',
    version('1', { status: 'deprecated', sunsetMs: nowMs + 100 * dayMs }),
    '1 is deprecated and will be retired in 100 days, on ',
  ],
  ['retired and pinned', version('1', { status: 'retired', deprecatedMs: 0, sunsetMs: 0 }), '1 was retired '],
  ['far from its sunset', version('1', { sunsetMs: nowMs + 200 * dayMs }), undefined],
  ['not called', version('0', { status: 'deprecated' }), undefined],
])('a version that is %s', async (_, one, words) => {
  const found = await wordsOf([row(dayBefore(1), 'downloadFeedFile', '1')], [one])
  if (words === undefined) expect(found).toEqual([])
  else expect(found).toEqual([expect.stringContaining(words)])
})

test('a pinned version counts without calls', async () => {
  const found = await find([], [version('1', { status: 'deprecated' })])
  expect(found).toMatchObject([{ kind: 'version', calls: 0, pinned: [{ partnerId: 'tester' }] }])
})

test('a feed that is no longer downloaded', async () => {
  expect(await wordsOf([row(dayBefore(12), 'downloadFeedFile', '1')])).toEqual([
    expect.stringContaining('has downloaded no feed since'),
  ])
})

test('a key that ends within 30 days, and a decision of the last 14 days', async () => {
  const { id } = await makeKey(config)
  for (const [days, found] of [
    [40, []],
    [20, [{ kind: 'key_ends', key: { id } }]],
  ] as const) {
    const key = (await admin.keys.key(id, { all: true }))!
    await changeKey(admin, actor, { id, expectedRevision: key.revision, change: { expiresMs: nowMs + days * dayMs } })
    expect(await find([])).toMatchObject(found)
  }
  const ask = { kind: 'quota', quota: 50_000 } as const
  const asked = await openUpgrade(admin, actor, { keyId: id, ask, reason: 'Growth' })
  if (isAdminFault(asked)) throw new Error(asked.fault)
  expect(await find([])).toHaveLength(1)
  await declineUpgrade(admin, actor, { id: asked.id, expectedRevision: 1, answer: 'Not <now>' })
  expect((await wordsOf([])).at(-1)).toMatch(/was declined *: Not &lt;now&gt;/)
})
