import type { UsageRow } from './ledger.ts'

/** Creates the row of one served call of key k1 in the slot that starts at `fromMs`; `more` are members with other values. */
export const createUsageRow = (fromMs: number, more: Partial<UsageRow> = {}): UsageRow => ({
  fromMs,
  partnerId: 'acme',
  keyId: 'k1',
  operation: 'getLocation',
  version: '1',
  versionExplicit: false,
  status: 200,
  billable: true,
  calls: 1,
  units: 1,
  ...more,
})
