import { pinAllFeeds } from './feed.ts'
import type { Key } from './key.ts'

/** Creates an active key of the package Discover; `more` are members with other values. */
export const createTestKey = (more: Partial<Key> = {}): Key => ({
  id: 'key_1',
  partnerId: 'partner_1',
  test: false,
  packageName: 'discover',
  addOns: [],
  agreement: {},
  scope: {},
  feedPins: pinAllFeeds('1'),
  state: 'active',
  createdMs: 0,
  revision: 1,
  ...more,
})
