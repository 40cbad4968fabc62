import { validate, version } from 'uuid'
import { expect, it } from 'vitest'
import { createRequestId } from './request-id.ts'

it('creates UUIDs of version 7 that differ and contain the current time', () => {
  const beforeMs = Date.now()
  const ids = Array.from({ length: 2000 }, createRequestId)
  const afterMs = Date.now()
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(validate(id) && version(id)).toBe(7)
    const timeMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    expect(timeMs).toBeGreaterThanOrEqual(beforeMs)
    expect(timeMs).toBeLessThanOrEqual(afterMs)
  }
})
