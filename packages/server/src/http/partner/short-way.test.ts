import { Socket } from 'node:net'
import { expect, test } from 'vitest'
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
