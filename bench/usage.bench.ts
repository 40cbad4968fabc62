/**
 * Measures reports of 30 days of six keys: CPU time of sums in the database, by time zone and dimension, against sums
 * of the same rows in JavaScript. Takes the median of `rounds`.
 *   npm run bench -- usage [--keys 6] [--days 30] [--rounds 21]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEnd, type UsageCursor, type UsageRow } from '../packages/server/src/domain/ledger.ts'
import type { UsageDimension } from '../packages/server/src/domain/usage-report.ts'
import { openEngine } from '../packages/server/src/store/engine.ts'
import { journalIn } from '../packages/server/src/usage/journal-reader.ts'
import { sumUsage } from '../packages/server/src/usage/query.ts'
import { buildReport } from '../packages/server/src/usage/report.ts'
import { getSlotStart } from '../packages/server/src/usage/slot.ts'

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '6' },
    days: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '21' },
  },
})
const [keys, days, rounds] = [Number(values.keys), Number(values.days), Number(values.rounds)]
const fromMs = Date.UTC(2026, 5, 1)
const quarterMs = 900_000

/** Rows of nine operations and outcomes an hour, as partners with a mixed load have them. */
function makeRows(): UsageRow[] {
  const kinds = [
    'getLocation',
    'getLocations',
    'listReviews',
    'searchLocations',
    'nearbyLocations',
    'getCatalogLocation',
  ].flatMap((operation, i) => [{ operation, status: 200 }, ...(i % 2 === 0 ? [{ operation, status: 429 }] : [])])
  const starts = Array.from({ length: days * 96 }, (_, i) => fromMs + i * quarterMs)
  return starts
    .filter(startMs => getSlotStart(startMs) === startMs)
    .flatMap(startMs =>
      Array.from({ length: keys }, (_, key) =>
        kinds.map(kind => ({
          ...kind,
          fromMs: startMs,
          partnerId: `partner_${key % 3}`,
          keyId: `key_${key}`,
          version: '1',
          versionExplicit: true,
          billable: true,
          calls: 40,
          units: kind.status === 200 ? 40 : 0,
        })),
      ).flat(),
    )
}

/** Returns the median CPU time of `work`, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  await work()
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Number(times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!.toFixed(2))
}

const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
const engine = openEngine({ kind: 'sqlite', folder }, { create: true })
try {
  const { ledger } = engine
  const rows = makeRows()
  const to = 'after' as UsageCursor
  await ledger.commit({ from: await ledger.position(), to, files: [], rows, states: [], uses: [], last: undefined })
  console.log(
    `${keys} keys, ${days} days: ${rows.length} rows by slot, ${(await ledger.days({ fromMs: 0, toMs: openEnd })).length} by day`,
  )
  const query = { fromMs, toMs: fromMs + days * 86_400_000 }
  const shapes: readonly (readonly UsageDimension[])[] = [['operation'], ['day', 'operation'], ['day', 'key', 'status']]
  const zones = ['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Adelaide']
  const journal = join(folder, 'journal')
  for (const by of shapes) {
    for (const timeZone of zones)
      console.log(
        `by ${by.join(',')} in ${timeZone}: ${await measure(() => sumUsage(journalIn(journal), ledger, query, { by, timeZone }))} ms`,
      )
    const script = async () => buildReport(await ledger.slots(query), by)
    console.log(`by ${by.join(',')} in UTC, in JavaScript: ${await measure(script)} ms`)
  }
  const key = { ...query, keyId: 'key_0' }
  console.log(
    `one key by day: ${await measure(() => sumUsage(journalIn(journal), ledger, key, { by: ['day'], timeZone: 'UTC' }))} ms`,
  )
} finally {
  await engine.close()
  rmSync(folder, { recursive: true })
}
