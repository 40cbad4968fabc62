import type { UsageRecord } from '../domain/usage.ts'

/** 2026-03-04 05:06:07.890 UTC, far from the end of a month. */
export const someTimeMs = Date.UTC(2026, 2, 4, 5, 6, 7, 890)

let made = 0

/** Creates the record of a served call of key k1, with a unique request id. */
export const record = (of: Partial<UsageRecord> = {}): UsageRecord => ({
  requestId: `0198c0de-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  timeMs: someTimeMs,
  shiftMs: 0,
  partnerId: 'acme',
  keyId: 'k1',
  subject: 'k1',
  operation: 'getLocation',
  version: '1',
  versionExplicit: false,
  units: 1,
  meter: 'call',
  weight: 1,
  billable: true,
  status: 200,
  refusedBy: [],
  durationUs: 431,
  marks: [{ bucket: 'package', windowStartMs: someTimeMs, tatUs: someTimeMs * 1000 + 100_000 }],
  ...of,
})
