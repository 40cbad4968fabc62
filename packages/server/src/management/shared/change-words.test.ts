import { expect, test } from 'vitest'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import { html } from '../../web/html.ts'
import { actionText, changedMembers } from './change-words.ts'

const textOf = (change: Pick<StoredAuditLine, 'before' | 'after'>): string[] => {
  const line = {
    ...change,
    seq: 1,
    atMs: 0,
    actor: { kind: 'cli', id: 'a', via: 'cli' },
    action: 'x',
    target: 'y',
  } as const
  const { text } = html`${changedMembers(line, 'UTC')}`
  return [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item]) => item!.replaceAll(/<[^>]+>/g, ''))
}

test('a change shows each value before and after, and texts without their value', () => {
  const before = { package: 'growth', agreement: {}, name: true, test: false }
  const after = { package: 'scale', agreement: { rate: 5, search_quota: 'unlimited' }, name: true, test: true }
  expect(textOf({ before, after })).toEqual([
    'package: growth → scale',
    'agreement: not set → rate 5, search quota unlimited',
    'name changed',
    'test: no → yes',
  ])
})

test('a creation shows the values that are set', () => {
  expect(textOf({ after: { package: 'growth', add_ons: [], scope: {}, test: false, name: true } })).toEqual([
    'package: growth',
  ])
  expect(textOf({ after: { overlap_ms: 3_600_000, expires_ms: 0, partners: ['a', 'b'], read: 60150 } })).toEqual([
    'overlap: 1 h',
    'expires: 1 Jan 1970, 00:00',
    'partners: a, b',
    'read: 60,150',
  ])
  expect(textOf({})).toEqual([])
})

test('an action without words is shown as its code, escaped', () => {
  expect(actionText('key.create').text).toBe('Key created')
  expect(actionText('new.<action>').text).toBe('<code>new.&lt;action&gt;</code>')
})
