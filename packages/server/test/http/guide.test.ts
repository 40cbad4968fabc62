/** Checks that the metrics and settings in docs/guides/operate.md exist. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findSetting } from '../../src/config/setting.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const guide = readFileSync(new URL('../../../../docs/guides/operate.md', import.meta.url), 'utf8')

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, 'empty')
})
afterAll(() => world.close())

test('every documented metric exists, and every periplus metric is documented except for details', async () => {
  const { text } = await send(world.adminUrl!, '/metrics')
  const existing = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(match => match[1]!))
  const named = new Set(
    [...guide.matchAll(/\b(?:periplus|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
  )
  expect([...named].filter(name => !existing.has(name))).toEqual([])
  const details = /_(bytes|records|ready|age_seconds|delta_changes|places|entries)$|^periplus_units_total$/
  expect([...existing].filter(name => name.startsWith('periplus_') && !named.has(name) && !details.test(name))).toEqual(
    [],
  )
})

test('its YAML examples are valid, and their settings exist', () => {
  const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => match[1]!)
  expect(blocks.length).toBeGreaterThan(2)
  for (const block of blocks) for (const document of parseAllDocuments(block)) expect(document.errors).toEqual([])
  const sections = 'server|limits|journal|cors|keys|search|feeds|import|cache'
  const settings = [...guide.matchAll(new RegExp(`\`((?:${sections})\\.[a-zA-Z]+)`, 'g'))].map(match => match[1]!)
  expect(settings.length).toBeGreaterThan(5)
  expect(settings.filter(path => findSetting(path) === undefined)).toEqual([])
})
