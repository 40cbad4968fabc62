/**
 * Measures matches of perturbed records: the share of decisions `same` that are right (precision), and of places that
 * are found as `same` (recall).
 *   node bench/match/quality.ts DATA_FOLDER [--seeds 1,2] [--records 2000] [--misses 0] [--wrong 0]
 * DATA_FOLDER is one that `periplus import` has filled. A tenth of the records describes places that do not exist: the
 * name of a place where another one is.
 */
import { parseArgs } from 'node:util'
import { openConfiguredEngine } from '../../packages/server/src/compose/engine.ts'
import { withFeedSource } from '../../packages/server/src/compose/feed-folder.ts'
import { openIndex } from '../../packages/server/src/compose/match-file.ts'
import { loadConfig } from '../../packages/server/src/config/load.ts'
import type { LocationEntry } from '../../packages/server/src/domain/location.ts'
import { fullScope } from '../../packages/server/src/domain/scope.ts'
import { createRandom } from '../../packages/server/src/kit/random.ts'
import { classOf } from '../../packages/server/src/match/classes.ts'
import { decide } from '../../packages/server/src/match/decide.ts'
import { toMatchRecord } from '../../packages/server/src/match/record.ts'
import { matchLocation } from '../../packages/server/src/usecases/partner/match-location.ts'
import { mislead, perturb } from './perturb.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1,2' },
    records: { type: 'string', default: '2000' },
    misses: { type: 'string', default: '0' },
    wrong: { type: 'string', default: '0' },
  },
})
const config = loadConfig({ defaultFile: '', env: {}, flags: { data: positionals[0]! }, check: () => [] }).config
const engine = openConfiguredEngine(config, { create: false })
const index = openIndex(config)
const caller = { subject: 'bench', isGone: () => false }
const all: LocationEntry[] = []
await withFeedSource(engine, async source => {
  for await (const entries of source.locations.all()) all.push(...entries)
})

/** Counts of a class of places. */
interface Counts {
  records: number
  same: number
  right: number
  found: number
}
const byClass = new Map<string, Counts>()
const countsOf = (name: string): Counts => {
  const counts = byClass.get(name) ?? { records: 0, same: 0, right: 0, found: 0 }
  byClass.set(name, counts)
  return counts
}
const plain = { weightOf: () => 1, isShared: () => false }
/** Returns true if two stored records describe one place: several sources have many places. */
const isOnePlace = (a: LocationEntry, b: LocationEntry): boolean => {
  if (a.id === b.id) return true
  const [x, y] = [a, b].map(entry => toMatchRecord(entry.location(), entry, index.wordsOf))
  return decide(x!, y!, plain, false).decision !== undefined
}
let [misses, wrong] = [Number(values.misses), Number(values.wrong)]
const times: number[] = []
for (const seed of values.seeds.split(',').map(Number)) {
  const random = createRandom(seed)
  for (let i = 0; i < Number(values.records); i++) {
    const entry = all[Math.floor(random() * all.length)]!
    const elsewhere = all[Math.floor(random() * all.length)]!
    const exists = random() < 0.9
    const own = exists
      ? perturb(entry.location(), entry, random)
      : mislead(entry.location(), elsewhere.location(), entry, random)
    const start = performance.now()
    const matches = await matchLocation({ index, locations: engine.locations }, fullScope, own, 3, caller)
    times.push(performance.now() - start)
    const best = matches[0]
    const counts = countsOf(exists ? classOf(entry.location().categories[0]!) : 'does not exist')
    counts.records++
    const isRight = exists && best !== undefined && isOnePlace(entry, best.entry)
    if (best?.decision === 'same') {
      counts.same++
      if (isRight) counts.right++
      else if (wrong-- > 0) console.log('wrong', own, entry.id, entry.location().names[0]?.value, show(best))
    }
    if (best?.decision === 'same' && isRight) counts.found++
    else if (exists && misses-- > 0) console.log('missed', own, String(entry.id), best && show(best))
  }
}
await engine.close()

function show({ entry, decision, score, reasons }: Awaited<ReturnType<typeof matchLocation>>[number]) {
  const { names, coordinates } = entry.location()
  return { id: String(entry.id), name: names[0]?.value, ...coordinates, decision, score, reasons }
}

const share = (part: number, of: number) => (of === 0 ? undefined : Number((part / of).toFixed(4)))
const total: Counts = { records: 0, same: 0, right: 0, found: 0 }
const missing = byClass.get('does not exist')?.records ?? 0
for (const counts of byClass.values())
  for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name]
console.table(
  [...byClass, ['all', { ...total, records: total.records - missing }] as const].map(([name, c]) => ({
    class: name,
    records: c.records,
    precision: share(c.right, c.same),
    recall: name === 'does not exist' ? undefined : share(c.found, c.records),
  })),
)
times.sort((a, b) => a - b)
const at = (part: number) => `${times[Math.floor(times.length * part)]!.toFixed(2)} ms`
console.log({ p50: at(0.5), p95: at(0.95), p99: at(0.99) })
