import { expect, test } from 'vitest'
import { findMissingSettings } from './dependent-settings.ts'
import type { Config } from './schema.ts'

const missing = (config: object) => findMissingSettings(config as Config)

test('names the setting that another one requires', () => {
  expect(missing({ management: { oidc: { issuer: 'https://login.example.org' } } })).toEqual([
    { path: 'management.oidc.clientId', text: 'required with management.oidc.issuer, but missing' },
  ])
  expect(missing({ management: { oidc: { clientId: 'a' } } }).map(({ path }) => path)).toEqual([
    'management.oidc.issuer',
  ])
  expect(missing({ mail: { host: 'localhost', user: 'a' } }).map(({ path }) => path)).toEqual([
    'mail.from',
    'mail.passwordFile',
  ])
})

test('accepts settings that are complete or missing', () => {
  expect(missing({ management: { oidc: { issuer: 'a', clientId: 'b' } }, mail: { host: 'c', from: 'd' } })).toEqual([])
  expect(missing({})).toEqual([])
})
