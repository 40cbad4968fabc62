/** The explanation of every fault of the partner API, compared with a file. `npm run bless` rewrites the file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { explain } from '../../src/domain/explanation.ts'
import type { ExplainedCall, Explanation } from '../../src/domain/explanation-terms.ts'
import { type FaultCode, faults } from '../../src/domain/fault.ts'
import { createTestKey } from '../../src/domain/key.fixture.ts'
import { configFor } from '../world.ts'

const path = fileURLToPath(new URL('./explanations.json', import.meta.url))
const { packages, search } = configFor('unused')
const timeMs = Date.parse('2026-11-22T12:13:18.250Z')

const key = createTestKey({ createdMs: timeMs })
const typing = { autocompleteRate: 10, autocompleteBurst: 20 }
const limits = { rate: 10, burst: 10, quota: 10_000, searchRate: 1, searchBurst: 5, searchQuota: 500, ...typing }
const packageTable = { packages, search }
const terms = { key, limits, packageTable }
const route = { permission: 'recommendations', versions: ['1', '2', 'beta'], penaltyCapS: 3600 } as const
const sunset = { sunsetMs: Date.parse('2026-06-01'), successor: '2' }

const served: ExplainedCall = {
  timeMs,
  operation: 'getLocation',
  version: '1',
  status: 200,
  units: 1,
  fields: [],
  policies: [],
}
const failed = (fault: FaultCode, more: Partial<ExplainedCall> = {}): ExplainedCall => ({
  ...served,
  status: faults[fault].status,
  units: 0,
  fault,
  ...more,
})
const limited = (policies: readonly string[], more: Partial<ExplainedCall> = {}) =>
  failed('rate_limited', { policies, retryAfterS: 3, cost: 1, ...more })

const rate = '"rate";q=10;w=1'
const daily = '"daily";q=10000;w=86400'
const searched = { operation: 'searchLocations' }
const changed = { atMs: timeMs - 86_400_000, by: 'the operator' } as const

const explanations: Readonly<Record<string, Explanation>> = {
  served: explain(served, terms, route),
  'served, several units': explain({ ...served, units: 20 }, terms, route),
  'not modified': explain({ ...served, status: 304, units: 0 }, terms, route),
  ...Object.fromEntries(
    (Object.keys(faults) as FaultCode[]).map(code => [code, explain(failed(code), terms, { ...route, ...sunset })]),
  ),
  'version retired, no successor': explain(failed('version_retired'), terms, route),
  'endpoint retired in every version': explain(failed('endpoint_retired', { version: '' }), terms, route),
  'parameters, named': explain(failed('parameters_invalid', { fields: ['lat', 'lon'] }), terms, route),
  'key disabled, known change': explain(failed('key_disabled'), { ...terms, changed }, route),
  'key revoked by the partner': explain(
    failed('key_revoked'),
    { ...terms, changed: { ...changed, by: 'the partner' } },
    route,
  ),
  'key ended, known end': explain(failed('key_ended'), { ...terms, key: { ...key, expiresMs: timeMs } }, route),
  'address, known networks': explain(
    failed('address_refused'),
    { ...terms, key: { ...key, networks: ['192.0.2.0/24', '2001:db8::/32'] } },
    route,
  ),
  'forbidden, test key': explain(
    failed('forbidden', { operation: 'listFeeds' }),
    { ...terms, key: { ...key, test: true } },
    { ...route, permission: 'feeds' },
  ),
  'forbidden, scope': explain(
    failed('forbidden', { operation: 'listFeeds' }),
    { ...terms, key: { ...key, addOns: ['feeds'], scope: { countries: ['ES'] } } },
    { ...route, permission: 'feeds' },
  ),
  rate: explain(limited([rate]), terms, route),
  'rate at that time': explain(limited(['"rate";q=20;w=2']), terms, route),
  search: explain(limited(['"search";q=5;w=5'], searched), terms, route),
  daily: explain(limited([daily], { retryAfterS: 7200 }), terms, route),
  'daily, several units': explain(limited([daily], { retryAfterS: 7200, cost: 20 }), terms, route),
  'daily, never fits': explain(limited(['"daily";q=10;w=86400'], { ...withoutWait(), cost: 20 }), terms, route),
  'search-daily': explain(limited(['"search-daily";q=500;w=86400'], { ...searched, retryAfterS: 60 }), terms, route),
  'rate and daily': explain(limited([rate, daily], { retryAfterS: 7200 }), terms, route),
  penalty: explain(limited(['"penalty"'], { retryAfterS: 12, strikes: 2 }), terms, route),
  'penalty of searches': explain(limited(['"penalty"'], { ...searched, retryAfterS: 12, strikes: 1 }), terms, route),
  'feed-downloads': explain(limited(['"feed-downloads";q=4'], { retryAfterS: 5 }), terms, route),
  'feed-snapshots': explain(limited(['"feed-snapshots";q=50;w=86400'], { retryAfterS: 3600 }), terms, route),
  unread: explain(limited(['"unread"'], { retryAfterS: 30 }), terms, route),
  'earlier release, rate': explain(
    { ...limited(['rate']), fault: undefined, retryAfterS: undefined, cost: undefined } as never,
    terms,
    route,
  ),
  'earlier release, 404': explain({ ...served, status: 404, units: 0 }, terms, route),
  'earlier release, feed': explain({ ...served, operation: 'getFeedManifest', status: 404, units: 0 }, terms, route),
  'earlier release, 500': explain({ ...served, status: 500, units: 0 }, terms, route),
}

function withoutWait(): Partial<ExplainedCall> {
  return { retryAfterS: undefined } as never
}

test('every fault and every limit has an explanation', () => {
  const text = `${JSON.stringify(explanations, undefined, 2)}\n`
  if (process.env.PERIPLUS_BLESS === '1') writeFileSync(path, text)
  expect(text).toBe(readFileSync(path, 'utf8'))
})

test('every explanation is complete sentences, and every fault but an internal one names a remedy', () => {
  for (const [name, { code, sentence, remedy, link }] of Object.entries(explanations)) {
    for (const words of [sentence, ...(remedy === undefined ? [] : [remedy])])
      expect([name, words]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/s)])
    const isFine = code === 'served' || code === 'not_modified'
    expect([name, remedy === undefined, link === undefined]).toEqual([name, isFine, isFine])
    expect(`${sentence} ${remedy ?? ''}`).not.toMatch(/undefined|null|NaN|\bR-\d|SPEC/)
  }
})
