/** Checks that the metrics, settings and rulings that docs/guides/operate.md and SECURITY.md name exist. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { addLimitMetrics } from '../../src/compose/limit-metrics.ts'
import { findSetting } from '../../src/config/setting.ts'
import { Metrics } from '../../src/kit/metrics.ts'
import { createCounters } from '../../src/limits/shared/round-parts.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const guide = read('docs/guides/operate.md')
const security = read('SECURITY.md')

/** Returns the settings that a document names in code. */
function settingsIn(text: string): string[] {
  const sections = 'server|limits|journal|cors|keys|search|feeds|import|cache'
  return [...text.matchAll(new RegExp(`\`((?:${sections})\\.[a-zA-Z]+)`, 'g'))].map(match => match[1]!)
}

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0 }, 'empty')
})
afterAll(() => world.close())

/** Returns the metrics of a service that shares its limits, which the one of this test does not. */
async function renderSharedMetrics(): Promise<string> {
  const metrics = new Metrics()
  addLimitMetrics(metrics, () => ({
    rounds: createCounters(),
    mode: 'in',
    epoch: 1,
    pausedSeconds: 0,
    aloneUnits: 0,
    lineOffsetSeconds: 0,
  }))
  return metrics.render()
}

test('every documented metric exists, and every periplus metric is documented except for details', async () => {
  const text = `${(await send(world.adminUrl!, '/metrics')).text}\n${await renderSharedMetrics()}`
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
  expect(settingsIn(guide).length).toBeGreaterThan(5)
  expect(settingsIn(guide).filter(path => findSetting(path) === undefined)).toEqual([])
})

test('SECURITY.md has a row for each risk of the OWASP API Security Top 10, and names existing settings', () => {
  const rows = [...security.matchAll(/^\| API(\d+) [^|]+\| [^|]+\|/gm)].map(match => Number(match[1]))
  expect(rows).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(settingsIn(security).length).toBeGreaterThan(2)
  expect(settingsIn(security).filter(path => findSetting(path) === undefined)).toEqual([])
})

test('the rulings that both documents cite exist', () => {
  const rulings = new Set([...read('contract/rulings.md').matchAll(/^## (R-\d+) /gm)].map(match => match[1]!))
  const cited = [...(guide + security).matchAll(/\bR-\d+/g)].map(([name]) => name)
  expect(cited.length).toBeGreaterThan(10)
  expect([...new Set(cited)].filter(name => !rulings.has(name))).toEqual([])
})
