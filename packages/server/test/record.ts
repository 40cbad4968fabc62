import type { ChangeRecord } from '../src/domain/change-record.ts'

/** The record of a change that a test makes in a store directly. */
export const record = (action = 'test.change'): ChangeRecord => ({
  audit: { atMs: 0, actor: { kind: 'system', id: 'test', via: 'system' }, action, target: 'test' },
})
