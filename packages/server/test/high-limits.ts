import type { Key } from '../src/domain/key.ts'

/** Limits so high that no test or benchmark reaches them by accident. */
export const highLimits: Key['agreement'] = {
  rate: 1_000_000,
  burst: 1_000_000,
  quota: 'unlimited',
  searchRate: 1_000_000,
  searchBurst: 1_000_000,
  searchQuota: 'unlimited',
}
