import { Socket } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestKey } from '../../domain/key.fixture.ts'
import type { CallOutcome } from '../../limits/call-limits.ts'
import { resolveLifecycle } from '../../versions/lifecycle.ts'
import { RenderedBody } from '../wire/rendered.ts'
import type { WrittenResponse } from '../wire/response-writer.ts'
import { Traffic } from '../wire/traffic.ts'
import type { Transport } from '../wire/transport.ts'
import type { PartnerApi } from './partner-api.ts'
import { createShortWay } from './short-way.ts'

test('an error before the call is opened leaves the request to the ordinary way, which reports it', () => {
  const asked: string[] = []
  const api = {
    settings: { basePath: '', keysInQuery: false },
    clock: {
      nowMs: () => {
        asked.push('the time')
        throw new Error('Out of order.')
      },
    },
  } as unknown as PartnerApi
  const traffic = new Traffic([])
  const transport = { traffic } as unknown as Transport
  const shortWay = createShortWay({ api, transport, ready: { find: () => undefined }, isProxy: () => false })
  const writer = { write: () => {} }
  const received = { target: '/locations/1', headers: {}, socket: new Socket(), writer }
  expect(shortWay(received)).toBe(false)
  expect([asked, traffic.onShortWay]).toEqual([['the time'], 0])
})

const settings = { basePath: '', publicUrl: '', keysInQuery: false, maxAgeSeconds: 60, corsOrigins: [] }

test('a list that is compressed off the thread is composed and charged once', async () => {
  const key = createTestKey({ packageName: 'discover' })
  const outcomes: CallOutcome[] = []
  const settle = (outcome: CallOutcome) => {
    outcomes.push(outcome)
    return { refusal: undefined, headers: {} }
  }
  const api = {
    settings,
    clock: { nowMs: () => 0 },
    lifecycle: resolveLifecycle({ versions: {}, endpoints: {} }),
    authenticator: { recall: () => key, authenticate: () => ({ key, secretId: '1' }) },
    packageTable: { packages: { discover: { permissions: ['locations'], rate: 10, quota: 10 } }, search: {} },
    limits: { package: { open: () => ({ refusal: undefined, settle }) } },
    unsent: { check: () => undefined },
  } as unknown as PartnerApi
  const traffic = new Traffic([])
  const outbox = { enqueue: (send: () => void) => send() }
  const transport = { traffic, outbox, settings, accessLog: () => {}, isDraining: () => false } as unknown as Transport
  const text = 'x'.repeat(70_000)
  let found = 0
  const find = () => {
    found++
    return new RenderedBody(Buffer.from(`{"data":"${text}"}`))
  }
  const shortWay = createShortWay({ api, transport, ready: { find }, isProxy: () => false })
  const { promise, resolve } = Promise.withResolvers<WrittenResponse>()
  const headers = { 'accept-encoding': 'br' }
  expect(
    shortWay({ target: '/locations?ids=1,2&version=1', headers, socket: new Socket(), writer: { write: resolve } }),
  ).toBe(true)
  const { status, fields, body } = await promise
  expect([status, fields.includes('br'), found, traffic.onShortWay]).toEqual([200, true, 2, 1])
  expect(brotliDecompressSync(body as Buffer).toString()).toBe(`{"data":["${text}","${text}"]}`)
  expect(outcomes).toEqual([expect.objectContaining({ status: 200, entities: 2 })])
})
