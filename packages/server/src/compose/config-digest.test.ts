import { expect, test } from 'vitest'
import { loadConfig, type Overrides } from '../config/load.ts'
import { digestConfig } from './config-digest.ts'
import { findConfigErrors } from './configuration.ts'

test('nodes with folders and ports of their own have the digest of the settings that they share (R-140)', () => {
  const digest = (flags: Overrides) =>
    digestConfig(loadConfig({ defaultFile: '', env: {}, flags, check: findConfigErrors }).config)
  const shared = digest({ data: 'a', 'server.port': 1 })
  expect(digest({ data: 'b', 'server.port': 2, 'server.adminPort': 3, 'cache.locations': 5 })).toBe(shared)
  expect(digest({ 'server.publicUrl': 'https://places.example' })).not.toBe(shared)
  expect(digest({ 'packages.discover.quota': 5 })).not.toBe(shared)
})
