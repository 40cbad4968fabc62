import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createTestKey } from '../domain/key.fixture.ts'
import type { Key } from '../domain/key.ts'
import type { StoredState } from '../domain/ledger.ts'
import { isSubscribed } from '../domain/webhook.ts'
import { keyExpiryEvents, nextClosedTo, secretExpiryEvents, statementEvents, versionEvents } from './dated.ts'
import { penaltyEvents, quotaEvents } from './quota.ts'
import { isAccepted, nextAttemptMs, reasonToDisable, retryDelaysMs } from './retry.ts'
import { createWebhookSecret, signWebhook } from './signature.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-11-22T12:00:00Z')

describe('retries', () => {
  test('follow the schedule, are late by a tenth at most, and end', () => {
    expect(retryDelaysMs.map(ms => ms / 1000)).toEqual([5, 30, 120, 900, 3600, 10_800, 43_200, 86_400])
    retryDelaysMs.forEach((ms, i) => {
      expect(nextAttemptMs(i + 1, now, 0)).toBe(now + ms)
      expect(nextAttemptMs(i + 1, now, 0.999)).toBeLessThanOrEqual(now + ms * 1.1)
    })
    expect(nextAttemptMs(retryDelaysMs.length + 1, now, 0)).toBeUndefined()
  })

  test('accept 2xx alone; 410 and five days of failures disable', () => {
    expect([199, 200, 299, 300, 410, 500].filter(status => isAccepted({ status }))).toEqual([200, 299])
    expect(reasonToDisable({ status: 410, atMs: now }, undefined)).toBe('gone')
    expect(reasonToDisable({ status: 500, atMs: now }, now - 5 * dayMs + 1)).toBeUndefined()
    expect(reasonToDisable({ atMs: now }, now - 5 * dayMs)).toBe('failing')
    expect(reasonToDisable({ atMs: now }, undefined)).toBeUndefined()
  })
})

test('a signature verifies with either secret; a changed body, another id and an old time do not', () => {
  const [first, second] = [createWebhookSecret(), createWebhookSecret()]
  const body = JSON.stringify({ id: 'evt_1', type: 'key.created', data: { name: 'ä' } })
  const headers = signWebhook('evt_1', Date.now(), body, [second, first])
  for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  const verify = (text: string, more: object) => () => new Webhook(first).verify(text, { ...headers, ...more })
  expect(verify(`${body} `, {})).toThrow()
  expect(verify(body, { 'webhook-id': 'evt_2' })).toThrow()
  expect(() => new Webhook(createWebhookSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(first).verify(body, signWebhook('evt_1', Date.now() - 600_000, body, [first]))).toThrow()
  expect(signWebhook('evt_1', now, body, [first])['webhook-signature']).toBe(
    new Webhook(first).sign('evt_1', new Date(now), body),
  )
})

describe('quotas and penalties', () => {
  const state = (used: number, windowStartMs = now - 1000): StoredState => ({
    subject: 'key_1',
    bucket: 'package',
    windowStartMs,
    used,
    tatUs: 0,
  })
  const holder = {
    partnerId: 'p',
    keyId: 'key_1',
    quotas: { package: 10, search: 'unlimited', autocomplete: 'unlimited' },
  } as const
  const find = (subject: string) => (subject === 'key_1' ? holder : undefined)

  test('reach 80 and 100 % exactly, in an open window', () => {
    const percents = (one: StoredState) => quotaEvents([one], find, now).map(({ data }) => data.percent)
    expect([7, 8, 9, 10, 11].map(used => percents(state(used)))).toEqual([[], [80], [80], [80, 100], [80, 100]])
    expect(percents(state(10, now - dayMs))).toEqual([])
    expect(percents({ ...state(10), bucket: 'search' })).toEqual([])
    expect(percents({ ...state(10), subject: 'key_2' })).toEqual([])
  })

  test('repeats have the same key: one event for each window, and one penalty for each hour', () => {
    const keys = [8, 9].map(used => quotaEvents([state(used)], find, now)[0]!.uniqueKey)
    expect(new Set(keys).size).toBe(1)
    const strikes = [now, now + 3_599_999, now + 3_600_000].map(
      atMs => ({ subject: 'key_1', bucket: 'search', atMs }) as const,
    )
    expect(new Set(penaltyEvents(strikes, find).map(({ uniqueKey }) => uniqueKey)).size).toBe(2)
  })
})

describe('dated events', () => {
  const key = createTestKey()
  const days = (expiresMs: number, more: Partial<Key> = {}) =>
    keyExpiryEvents({ ...key, expiresMs, ...more }, now).map(({ data }) => data.days_left)

  test('a key is announced 7 days and 1 day before its end', () => {
    expect([8 * dayMs, 7 * dayMs, dayMs + 1, dayMs, 1, 0, -1].map(ms => days(now + ms))).toEqual([
      ...[[], [7], [7], [1], [1], [], []],
    ])
    expect(days(now + dayMs, { state: 'revoked' })).toEqual([])
    expect(keyExpiryEvents(key, now)).toEqual([])
  })

  test('an earlier secret is announced unless the rotation was later than the notice', () => {
    const secret = { keyId: 'key_1', createdMs: 0, expiresMs: now + dayMs }
    expect(secretExpiryEvents(key, { ...secret, newestCreatedMs: now - 1 }, now)).toMatchObject([
      { data: { days_left: 1 } },
    ])
    expect(secretExpiryEvents(key, { ...secret, newestCreatedMs: now + 1 }, now)).toEqual([])
  })

  test('a version is announced to each partner once for each date', () => {
    const dates = { name: '1', deprecatedMs: now - dayMs, sunsetMs: now + 29 * dayMs, successor: '2' }
    const events = versionEvents(dates, ['p', 'q'], now)
    expect(events.map(({ type, partnerId, data }) => [type, partnerId, data.days_left])).toEqual([
      ...[
        ['version.deprecated', 'p', undefined],
        ['version.sunset_near', 'p', 30],
      ],
      ...[
        ['version.deprecated', 'q', undefined],
        ['version.sunset_near', 'q', 30],
      ],
    ])
    expect(new Set(events.map(({ uniqueKey }) => uniqueKey)).size).toBe(4)
    expect(versionEvents(dates, ['p'], now + 8 * dayMs)).toEqual([])
  })

  test("a statement closes at the end of the month in the partner's zone", () => {
    const end = Date.parse('2026-11-30T11:00:00Z')
    const closed = (atMs: number, createdMs = 0, countedToMs = Number.POSITIVE_INFINITY) =>
      statementEvents({ id: 'p', createdMs }, 'Pacific/Auckland', { nowMs: atMs, countedToMs }).map(
        ({ data }) => data.month,
      )
    expect(closed(end + 4 * 60_000)).toEqual([])
    expect(closed(end + 6 * 60_000)).toEqual(['2026-11'])
    expect(closed(end + 6 * 60_000, end)).toEqual([])
    expect(closed(end + 8 * dayMs)).toEqual([])
    // A node has not counted its calls yet.
    expect(closed(end + dayMs, 0, end)).toEqual([])
    expect(closed(end + dayMs, 0, end + dayMs)).toEqual(['2026-11'])
  })

  test('a month that a node has held open closes with an event, however late', () => {
    const ends = [Date.parse('2026-10-01T00:00:00Z'), Date.parse('2026-11-01T00:00:00Z')]
    const closed = (nowMs: number, countedToMs: number, closedToMs: number, createdMs = 0) =>
      statementEvents({ id: 'p', createdMs }, 'UTC', { nowMs, countedToMs, closedToMs }).map(({ data }) => data.month)
    const late = ends[1]! + 20 * dayMs
    expect(closed(late, ends[0]! - dayMs, ends[0]! - dayMs)).toEqual([])
    expect(closed(late, late, ends[0]! - dayMs)).toEqual(['2026-09', '2026-10'])
    expect(closed(late, late, ends[0]! - dayMs, ends[0]!)).toEqual(['2026-10'])
    // The node has counted a part of the ten minutes after the month.
    expect(closed(late, late, ends[0]! + 60_000)).toEqual(['2026-09', '2026-10'])
    expect(closed(late, late, ends[0]! + dayMs)).toEqual(['2026-10'])
    expect(closed(late, late, late)).toEqual([])
    // A new node has counted nothing yet, and an upgraded database knows no time.
    expect(nextClosedTo({ nowMs: late, countedToMs: 0, closedToMs: late - 1 })).toBe(late - 1)
    expect(nextClosedTo({ nowMs: late, countedToMs: 0 })).toBe(late - 7 * dayMs)
  })
})

test('an endpoint receives the events of its partner and key, and those of no partner', () => {
  const endpoint = { id: 'w', partnerId: 'p', types: ['key.created', 'feed.published'] } as const
  const created = { type: 'key.created', partnerId: 'p', data: { key_id: 'k' } } as const
  expect(isSubscribed(endpoint, created)).toBe(true)
  expect(isSubscribed(endpoint, { ...created, partnerId: 'q' })).toBe(false)
  expect(isSubscribed(endpoint, { ...created, type: 'key.revoked' })).toBe(false)
  expect(isSubscribed({ ...endpoint, keyId: 'other' }, created)).toBe(false)
  expect(isSubscribed(endpoint, { type: 'feed.published', data: {} })).toBe(true)
  expect(isSubscribed({ id: 'o', types: ['key.created'] }, created)).toBe(true)
  expect(isSubscribed(endpoint, { ...created, endpointId: 'other' })).toBe(false)
})
