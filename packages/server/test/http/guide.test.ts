/** Checks that the metrics, settings, messages and rulings that the guides for operators and SECURITY.md name exist. */
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { addLimitMetrics } from '../../src/compose/limit-metrics.ts'
import { findSetting } from '../../src/config/setting.ts'
import { type FaultCode, faults } from '../../src/domain/fault.ts'
import { DurationHistogram } from '../../src/kit/histogram.ts'
import { Metrics } from '../../src/kit/metrics.ts'
import { createCounters } from '../../src/limits/shared/round-parts.ts'
import { send } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const onCall = read('docs/guides/on-call.md')
const guide = ['operate', 'on-call', 'from-one-machine-to-a-cluster']
  .map(name => read(`docs/guides/${name}.md`))
  .join('\n')
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
    pauses: new DurationHistogram([1]),
    lateRecords: 0,
    aloneUnits: 0,
    lineOffsetSeconds: 0,
    openDownloads: 0,
  }))
  return metrics.render()
}

test('every documented metric exists, and every periplus metric is documented except for details', async () => {
  const text = `${(await send(world.adminUrl!, '/metrics')).text}\n${await renderSharedMetrics()}`
  const existing = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(match => match[1]!))
  const named = new Set(
    [...guide.matchAll(/\b(?:periplus|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum)$/, ''),
    ),
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

/** Returns the code of the service as one text, in which messages of several lines are joined. */
function readMessages(): string {
  const folder = new URL('../../src/', import.meta.url).pathname
  const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
  return files
    .map(file => readFileSync(folder + file, 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\s+['`]/g, '')
}

test('the notes, reasons and lines of the log for the on-call exist', () => {
  const shown = [...onCall.matchAll(/(?:note|log|ready|end|start|`periplus verify`|worker): `([^`]+)`/g)]
  expect(shown.length).toBeGreaterThan(20)
  const messages = readMessages()
  const parts = shown.flatMap(([, text]) => text!.split('…').filter(part => part !== ''))
  expect(parts.filter(part => !messages.includes(part))).toEqual([])
})

test('the on-call has every code of an answer with 503', () => {
  const [, section] = onCall.split('## Answers with 503')
  const named = [...section!.split('## ')[0]!.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!),
  )
  const codes = (Object.keys(faults) as FaultCode[]).filter(code => faults[code].status === 503)
  expect(named.sort()).toEqual([...codes].sort())
})
