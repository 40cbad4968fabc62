/**
 * The JSON of every admin resource, as the CLI prints it with `--json` and the admin API will return it: compared with
 * files, and checked against its schema. `npm run bless` rewrites the files.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { expect, test } from 'vitest'
import type { FoundPair } from '../../src/domain/duplicates.ts'
import { type Manifest, pinAllFeeds } from '../../src/domain/feed.ts'
import type { WithheldBuild } from '../../src/domain/feed-build.ts'
import { emptyReport, type ImportReport } from '../../src/domain/import.ts'
import { createTestKey } from '../../src/domain/key.fixture.ts'
import type { Key } from '../../src/domain/key.ts'
import type { Erasure } from '../../src/domain/moderation.ts'
import { newPartnerTerms, type Partner } from '../../src/domain/partner.ts'
import { noRuns } from '../../src/domain/sync.ts'
import type { OutboxEvent, WebhookEndpoint } from '../../src/domain/webhook.ts'
import { parseLongJson, stringifyLongJson, toLongJson } from '../../src/kit/long-json.ts'
import * as backup from '../../src/resources/backup.ts'
import * as config from '../../src/resources/config.ts'
import * as dedupe from '../../src/resources/dedupe.ts'
import * as feedPin from '../../src/resources/feed-pin.ts'
import * as feedPull from '../../src/resources/feed-pull.ts'
import * as feedSnapshot from '../../src/resources/feed-snapshot.ts'
import * as imports from '../../src/resources/import.ts'
import * as keys from '../../src/resources/key.ts'
import * as partners from '../../src/resources/partner.ts'
import * as requests from '../../src/resources/request.ts'
import * as reviews from '../../src/resources/review.ts'
import { syncListResource, syncListSchema } from '../../src/resources/sync.ts'
import * as usage from '../../src/resources/usage.ts'
import * as verification from '../../src/resources/verification.ts'
import * as webhooks from '../../src/resources/webhook.ts'
import { configFor } from '../world.ts'

const folder = fileURLToPath(new URL('./resources/', import.meta.url))
const bless = process.env.PERIPLUS_BLESS === '1'

const duplicatePair: FoundPair = {
  a: { id: 1n, source: 'atlas', name: 'Hotel Sol' },
  b: { id: 2n, source: 'osm', name: 'Sol' },
  class: 'stay',
  decision: 'same',
  score: 0.97,
  reasons: [
    { field: 'name', agrees: true, similarity: 0.91 },
    { field: 'distance', agrees: true, meters: 12 },
  ],
  keep: 1n,
}

const { packages, search } = configFor('unused')
const packageTable = { packages, search }
const createdMs = Date.parse('2026-11-20T12:00:00.250Z')
const atMs = createdMs + 3_600_000

const partner: Partner = { id: 'partner_1', name: 'Ann, "the" Partner', ...newPartnerTerms, createdMs, revision: 1 }
const fullPartner: Partner = {
  ...partner,
  email: 'ann@example.org',
  externalRef: 'crm 7',
  revision: 12,
  packageName: 'growth',
  agreement: { rate: 7.5, searchQuota: 'unlimited', subject: 'partner' },
  liveKeysMax: 3,
  scope: { countries: ['ES'], categories: ['RESTAURANT'] },
  zone: 'Europe/Madrid',
  state: 'closed',
}

const servedCall = {
  requestId: '01990000-0000-7000-8000-000000000001',
  partnerId: 'partner_1',
  keyId: 'key_1',
  timeMs: atMs,
  operation: 'getLocations',
  version: '2',
  versionExplicit: true,
  status: 200,
  units: 20,
  fields: [],
  policies: [],
  durationUs: 1234,
}
const refusedCall = {
  ...servedCall,
  status: 429,
  units: 0,
  fault: 'rate_limited',
  fields: ['ids'],
  policies: ['"rate";q=10;w=1'],
  keyRevision: 3,
  retryAfterS: 3,
  cost: 1,
}
const explanation = { code: 'rate_limited', sentence: 'The limit is 1.', remedy: 'Wait 3 s.', link: 'guide' } as const
const refusal = {
  partnerId: 'partner_1',
  keyId: 'key_1',
  hourMs: createdMs - (createdMs % 3_600_000),
  code: 'version_unknown',
  version: '',
  calls: 7,
  lastMs: createdMs,
}

const key = createTestKey({ createdMs })
const webhook: WebhookEndpoint = {
  id: 'webhook_1',
  partnerId: 'partner_1',
  url: 'https://partner.example/hook',
  types: ['key.created', 'feed.published'],
  state: 'active',
  createdMs,
  revision: 2,
}
const outboxEvent: OutboxEvent = {
  seq: 9,
  id: 'evt_1',
  type: 'key.created',
  partnerId: 'partner_1',
  atMs,
  data: { key_id: 'key_1' },
}
const agreed: Key = {
  ...key,
  name: 'App',
  packageName: 'transform',
  addOns: ['feeds'],
  agreement: {
    rate: 0.5,
    burst: 9,
    quota: 'unlimited',
    searchRate: 2,
    searchBurst: 3,
    searchQuota: 4,
    subject: 'partner',
  },
  scope: { countries: ['ES', 'FR'], categories: ['HOTEL'], sources: ['crm'] },
  feedPins: { ...pinAllFeeds('1'), geos: '2' },
  state: 'disabled',
  notes: 'Until the pilot ends',
  expiresMs: atMs,
  networks: ['203.0.113.0/24', '2001:db8::/32'],
  revision: 5,
}
const trial: Key = { ...key, id: 'key_2', test: true, state: 'revoked' }
const secret = 'peri_live_example'
const secrets = [
  { id: '1', createdMs, expiresMs: atMs, calls: 0 },
  { id: '2', last4: 'aB3f', createdMs: atMs, lastUsedDay: '2026-11-20', lastUsedMs: atMs, calls: 7 },
]

const totals = { calls: 9, units: 12, billableUnits: 7 }
const relying = { keyId: 'key_1', partnerId: 'partner_1', version: '1', calls: 2 }

const withheld: WithheldBuild = {
  feed: 'locations',
  version: '1',
  reason: 'deletions',
  deletions: 2,
  records: 3,
  sinceMs: atMs,
  triedMs: atMs,
}

const manifest: Manifest = {
  feed: 'locations',
  version: '1',
  schema_url: 'https://places.example/feeds/locations/v1/schema.json',
  snapshot_id: '2026-11-20.0-v1',
  sequence: 1,
  kind: 'full',
  created_at: '2026-11-20T12:00:00.000Z',
  records: 3,
  upserts: 3,
  tombstones: 0,
  files: [10, 20].map((bytes, i) => ({
    name: `part-0000${i}.ndjson.zst`,
    bytes,
    records: 1,
    sha256: '0'.repeat(64),
    min_id: 1n,
    max_id: 2n,
    encoding: 'zstd' as const,
  })),
  records_of_result: 3,
  checksum_of_result: '0'.repeat(64),
}

const report: ImportReport = {
  ...emptyReport(),
  read: 10,
  added: 4,
  changed: 1,
  unchanged: 2,
  removed: 1,
  rejected: 2,
  seconds: 0.25,
  reasons: { invalid_json: 1, copy_text_format: 1 },
  notes: { phone_dropped: 1 },
  unknown: { category: new Map([['izakaya', 3]]), status: new Map(), country: new Map([['ATLANTIS', 1]]) },
}
const description = {
  format: 'csv' as const,
  unit: 'line' as const,
  kind: 'location' as const,
  source: 's',
  fields: [{ field: 'name', from: 'Title' }],
  unused: ['colour'],
}
const imported = {
  inputs: [{ file: 'a.csv', description, samples: [{ source: 's', sourceId: 'p1' }] }],
  total: report,
  dryRun: true,
  replacedSource: 's',
  removals: [{ kind: 'location' as const, stored: 97, missing: 1, removed: 1 }],
  possibleDuplicates: [],
}

const erasure: Erasure = {
  ids: [51n, 9007199254740993n],
  removed: 1,
  removedCopies: ['data.sqlite.schema-1.bak'],
  removedRejects: 2,
  withdrawnSnapshots: ['reviews 2026-11-20.0-v1'],
  pending: ['truncate', 'compact'],
}

const pinMove = { key, feed: 'geos' as const, from: '1', to: '2', changed: true }
const pinChange = { keyId: 'key_1', feed: 'geos' as const, from: '1', to: '2', by: 'Ada', atMs }

const resources: Record<string, [schema: TSchema, resource: unknown]> = {
  partner: [partners.partnerSchema, partners.partnerResource(fullPartner)],
  'partner-note': [
    partners.partnerNoteSchema,
    partners.partnerNoteResource({ id: 'note_1', partnerId: 'partner_1', text: 'Pays late.', by: 'Ada', atMs }),
  ],
  'partner-list': [partners.partnerListSchema, partners.partnerListResource([partner, fullPartner])],
  key: [keys.keySchema, keys.keyResource(key, packageTable)],
  'key-with-secrets': [
    keys.keyWithSecretsSchema,
    keys.keyWithSecretsResource(
      { key: { ...key, lastUse: { day: '2026-11-20', version: '2' } }, secrets },
      packageTable,
    ),
  ],
  'key-agreed': [keys.keySchema, keys.keyResource(agreed, packageTable)],
  'key-list': [keys.keyListSchema, keys.keyListResource([key, trial], packageTable)],
  'key-created': [keys.createdKeySchema, keys.createdKeyResource({ key, secret }, packageTable)],
  'key-rotated': [keys.rotatedKeySchema, keys.rotatedKeyResource({ key, secret, othersExpireMs: atMs }, packageTable)],
  'feed-pin-list': [
    feedPin.feedPinListSchema,
    feedPin.feedPinListResource([
      { key: agreed, canUseFeeds: false },
      { key, canUseFeeds: true },
    ]),
  ],
  'feed-pin-history': [
    feedPin.feedPinHistorySchema,
    feedPin.feedPinHistoryResource({ key: agreed, history: [pinChange] }),
  ],
  'feed-pin-moved': [feedPin.movedPinSchema, feedPin.movedPinResource(pinMove, 'Ada')],
  'feed-snapshot-list': [feedSnapshot.feedSnapshotListSchema, feedSnapshot.feedSnapshotListResource([manifest])],
  'feed-build': [
    feedSnapshot.feedBuildSchema,
    feedSnapshot.feedBuildResource({ built: [{ manifest, seconds: 0.12345 }], withheld: [] }),
  ],
  'feed-build-withheld': [
    feedSnapshot.feedBuildSchema,
    feedSnapshot.feedBuildResource({ built: [], withheld: [withheld] }),
  ],
  'request-list': [
    requests.requestListSchema,
    requests.requestListResource([servedCall, refusedCall], [{ ...refusal, explanation }], atMs),
  ],
  'request-explained': [
    requests.explainedRequestSchema,
    requests.explainedRequestResource({
      call: refusedCall,
      key,
      limits: {
        rate: 10,
        burst: 10,
        quota: 'unlimited',
        searchRate: 1,
        searchBurst: 5,
        searchQuota: 500,
        ...{ autocompleteRate: 10, autocompleteBurst: 20 },
      },
      explanation,
    }),
  ],
  'usage-report': [
    usage.usageReportSchema,
    usage.usageReportResource({
      ...totals,
      fromMs: 0,
      toMs: createdMs,
      rows: [
        { day: '2026-11-20', operation: 'getLocation', version: '1', status: 200, partner: 'p', key: 'k', ...totals },
      ],
    }),
  ],
  'feed-pull': [
    feedPull.feedPullSchema,
    feedPull.feedPullResource({
      pulled: [
        {
          feed: 'locations',
          version: '1',
          snapshot_id: '2026-11-20.0-v1',
          sequence: 4,
          kind: 'delta',
          records: 30,
          upserts: 3,
          tombstones: 1,
          bytes: 400,
          seconds: 0.25,
        },
      ],
      failed: [{ feed: 'reviews', message: 'A part differs from its manifest.', mismatch: true }],
    }),
  ],
  'sync-list': [
    syncListSchema,
    syncListResource([
      {
        name: 'hotels',
        origin: 'x',
        position: '2026-11-20 08:00:00+00',
        last: {
          runs: 3,
          counts: { read: 7, added: 3, changed: 2, removed: 1, rejected: 1 },
          endedMs: atMs,
          succeededMs: createdMs,
          failures: 1,
          failure: 'The database could not be read.',
        },
      },
      { name: 'new', origin: 'x', last: noRuns },
    ]),
  ],
  statement: [
    usage.statementSchema,
    usage.statementResource({
      partnerId: 'partner_1',
      month: '2026-11',
      timeZone: 'Europe/Madrid',
      closed: false,
      calls: 2,
      units: 4,
      fromMs: Date.parse('2026-10-31T23:00:00Z'),
      toMs: Date.parse('2026-11-30T23:00:00Z'),
      lines: [{ key: 'key_1', operation: 'getLocations', ...totals }],
      partnerName: 'Ann',
      countedToMs: createdMs,
      keyNames: new Map(),
      prices: [],
    }),
  ],
  'statement-priced': [
    usage.statementSchema,
    usage.statementResource({
      partnerId: 'partner_1',
      month: '2026-11',
      timeZone: 'UTC',
      closed: true,
      calls: 2,
      units: 4,
      fromMs: Date.parse('2026-11-01T00:00:00Z'),
      toMs: Date.parse('2026-12-01T00:00:00Z'),
      lines: [{ key: 'key_1', operation: 'getLocations', calls: 2, units: 4 }],
      partnerName: 'Ann',
      countedToMs: createdMs,
      keyNames: new Map([['key_1', 'App']]),
      prices: [{ package: 'growth', price: 'EUR 49 a month', units: 4 }],
    }),
  ],
  'config-check': [
    config.configCheckSchema,
    config.configCheckResource({
      warnings: [{ path: 'versions.1', text: 'sunset comes 151 days after deprecation' }],
      defaultVersion: '2',
      relyingKeys: [relying],
    }),
  ],
  settings: [
    config.settingsSchema,
    config.settingsResource([
      { setting: 'server.port', value: 8080, source: 'default' },
      { setting: 'server.publicUrl', value: undefined, source: 'default' },
    ]),
  ],
  'review-moderated': [reviews.moderatedReviewSchema, reviews.moderatedReviewResource({ id: 3n, state: 'hidden' })],
  'review-erased': [reviews.erasedReviewSchema, reviews.erasedReviewResource(51n, erasure)],
  'reviewer-erased': [reviews.erasedReviewerSchema, reviews.erasedReviewerResource('crm:u17', erasure)],
  import: [
    imports.importSchema,
    imports.importResource({
      ...imported,
      total: emptyReport(),
      dryRun: false,
      replacedSource: undefined,
      possibleDuplicates: [{ sources: ['atlas', 'osm'], class: 'stay', count: 7, examples: [[1n, 2n]] }],
    }),
  ],
  'import-dry-run': [imports.importSchema, imports.importResource(imported)],
  dedupe: [
    dedupe.dedupeSchema,
    dedupe.dedupeResource(
      {
        places: 9,
        pairs: [duplicatePair],
        merges: [{ id: 2n, into: 1n, score: 0.97 }],
        oversized: 0,
      },
      { run: 'dedupe_20261123T120000Z', changed: 1, skipped: 0 },
      10,
    ),
  ],
  'webhook-created': [
    webhooks.webhookSecretSchema,
    webhooks.webhookSecretResource({ endpoint: webhook, secret: 'whsec_c2VjcmV0' }),
  ],
  webhooks: [
    webhooks.webhookListSchema,
    webhooks.webhookListResource([
      webhook,
      {
        ...webhook,
        keyId: 'key_1',
        state: 'disabled',
        disabledReason: 'failing',
        failingSinceMs: createdMs,
        previousSecretEndsMs: atMs,
      },
    ]),
  ],
  'webhook-test': [
    webhooks.webhookTestSchema,
    webhooks.webhookTestResource({ endpoint: webhook, attempt: { atMs, durationMs: 15_000, error: 'timeout' } }),
  ],
  deliveries: [
    webhooks.deliveryListSchema,
    webhooks.deliveryListResource({
      rows: [
        {
          id: 'dlv_1',
          endpointId: 'webhook_1',
          state: 'pending',
          nextMs: atMs,
          event: outboxEvent,
          attempts: [{ atMs: createdMs, durationMs: 12, status: 503, body: 'busy' }],
        },
      ],
      next: 7,
    }),
  ],
  events: [webhooks.eventListSchema, webhooks.eventListResource({ rows: [outboxEvent] })],
  verification: [
    verification.verificationSchema,
    verification.verificationResource({ problems: [{ file: 'pepper', problem: 'A problem.' }] }),
  ],
  backup: [
    backup.backupSchema,
    backup.backupResource({ folder: 'b', files: 3, bytes: 400, problems: ['A problem.'] }, 1.5),
  ],
  restored: [
    backup.restoredSchema,
    backup.restoredResource({ data: 'd', files: 3, bytes: 400, previousFolder: 'd.old' }),
  ],
}

test.each(Object.entries(resources))('%s', (name, [schema, resource]) => {
  const line = stringifyLongJson(resource)
  const value: unknown = JSON.parse(line)
  expect([...Value.Errors(schema, value)]).toEqual([])
  // parseLongJson reads integers that do not fit a double as bigints; write all their digits.
  const digits = (_: string, member: unknown) => (typeof member === 'bigint' ? toLongJson(member) : member)
  const text = `${JSON.stringify(parseLongJson(line), digits, 2)}\n`
  const file = `${folder}${name}.json`
  if (bless) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file), `${file} is missing: run 'npm run bless' to write it`).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
})
