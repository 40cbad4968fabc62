import { expect, test } from 'vitest'
import { RecentWarnings } from './recent-warnings.ts'

const line = (level: number, msg: string, more: object = {}) => JSON.stringify({ level, time: 7, ...more, msg })

test('warnings and errors are remembered without stack traces, the latest 500', () => {
  const recent = new RecentWarnings()
  recent.add(line(30, 'Information'))
  recent.add(line(50, 'Failed.', { err: { stack: 'at file.ts' }, file: 'control.sqlite', stack: 'at file.ts' }))
  expect(recent.list()).toEqual([{ atMs: 7, level: 'error', message: 'Failed.', facts: { file: 'control.sqlite' } }])
  recent.add(line(40, 'Long', { text: 'x'.repeat(10_000) }))
  expect(recent.list().at(-1)).toEqual({ atMs: 7, level: 'warn', message: 'Long', facts: {} })
  for (let i = 0; i < 600; i++) recent.add(line(40, `Warning ${i}`))
  expect(recent.list()).toHaveLength(500)
  expect(recent.list().at(-1)!.message).toBe('Warning 599')
})
