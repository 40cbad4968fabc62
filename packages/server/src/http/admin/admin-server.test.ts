import { afterAll, expect, test } from 'vitest'
import type { Logger } from '../../kit/log.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { createAdminServer } from './admin-server.ts'

const errors: unknown[] = []
let metricsFail = false
const metrics = {
  contentType: 'text/plain',
  render: async () => {
    if (metricsFail) throw new Error('The disk cannot be read.')
    return 'a 1\n'
  },
} as Metrics
const readiness = { reasons: () => ['shutting down'], notes: () => [] }
const app = createAdminServer({
  metrics,
  readiness,
  log: { error: (fields: unknown) => errors.push(fields) } as unknown as Logger,
})
afterAll(() => app.close())

test('GET and HEAD return the page; HEAD has no body', async () => {
  const get = await app.inject('/metrics?name=value')
  expect([get.statusCode, get.body]).toEqual([200, 'a 1\n'])
  const head = await app.inject({ method: 'HEAD', url: '/metrics' })
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '4'])
  expect((await app.inject('/readyz')).statusCode).toBe(503)
})

test.each([
  ['POST', '/metrics', 405],
  ['OPTIONS', '/healthz', 405],
  ['GET', '/metrics/', 404],
  ['GET', '/%zz', 404],
  ['DELETE', '/locations/1', 404],
] as const)('%s %s is %i', async (method, url, status) => {
  const reply = await app.inject({ method, url, headers: { 'content-type': 'application/json' }, payload: '{' })
  expect([reply.statusCode, reply.headers.allow]).toEqual([status, status === 405 ? 'GET, HEAD' : undefined])
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.json()).toMatchObject({ status, message: expect.any(String), request_id: expect.any(String) })
})

test('a metric that cannot be read is a 500 with its cause in the log', async () => {
  metricsFail = true
  const reply = await app.inject('/metrics')
  metricsFail = false
  expect([reply.statusCode, reply.json().type]).toEqual([500, '/docs/errors#internal'])
  expect(reply.body).not.toContain('disk')
  expect(errors).toEqual([{ err: expect.any(Error), id: reply.json().request_id }])
})
