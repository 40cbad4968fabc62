import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config/load.ts'
import type { Key } from '../domain/key.ts'
import type { RecordedFault, UsageRecord } from '../domain/usage.ts'
import { createRandom } from '../kit/random.ts'
import { dayMs } from '../kit/time.ts'
import { openLayout } from '../store/folder/layout.ts'
import { Journal } from '../usage/journal.ts'
import { type Failure, failures, habits } from './demo-habits.ts'

/**
 * Days of the history, enough for 30 days and the 30 before; it ends with yesterday, so that no current limit is used
 * up.
 */
const days = 60
/** Calls of a working day per unit of a key's weight. */
const callsPerDay = 160

/** A key of the demo, and how much it calls compared with others. */
export interface DemoCaller {
  readonly key: Key
  readonly weight: number
}

/**
 * Writes generated calls of the last 60 days to the journal of a demo that has not served yet. The same callers and
 * date give the same calls.
 */
export async function writeDemoHistory(config: Config, callers: readonly DemoCaller[], nowMs: number): Promise<void> {
  const journal = new Journal(openLayout(config.data).journal)
  const random = createRandom(7)
  const today = Math.floor(nowMs / dayMs) * dayMs
  let written: Promise<unknown> | undefined
  for (let day = days; day > 0; day--) {
    const startMs = today - day * dayMs
    const calls = callers.flatMap(caller => callsOf(caller, startMs, days - day, random))
    for (const call of calls.sort((a, b) => a.timeMs - b.timeMs)) written = journal.append(call)
  }
  await written
  await journal.close()
}

type Random = ReturnType<typeof createRandom>

/** Creates the calls of a key on one day: fewer on weekends and at night, more from week to week. */
function callsOf({ key, weight }: DemoCaller, startMs: number, age: number, random: Random): UsageRecord[] {
  const weekday = new Date(startMs).getUTCDay()
  const trend = 0.7 + (0.6 * age) / days
  const expected = callsPerDay * weight * trend * (weekday === 0 || weekday === 6 ? 0.55 : 1) * (0.85 + 0.3 * random())
  return Array.from({ length: Math.round(expected) }, () => createCall(key, startMs + timeOfDay(random), random))
}

/** Returns a time of day with its peak in the afternoon, in milliseconds. */
const timeOfDay = (random: Random): number =>
  Math.floor(((random() + random() + random()) / 3) * dayMs * 0.9 + 0.1 * dayMs)

function createCall(key: Key, timeMs: number, random: Random): UsageRecord {
  const failure = choose([...failures, undefined], random() * 1000)
  const habit = failure
    ? habits.find(({ operation }) => operation === failure.operation)!
    : choose(habits, random() * 100)!
  const isRefused = failure !== undefined
  // A call that names no version gets the default one.
  const version = random() < 0.75 ? '1' : '2'
  const units = isRefused ? 0 : Math.ceil(random() * habit.units)
  return {
    requestId: uuidv7({ msecs: timeMs, random: Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256)) }),
    timeMs,
    shiftMs: 0,
    partnerId: key.partnerId,
    keyId: key.id,
    subject: key.id,
    operation: habit.operation,
    version,
    versionExplicit: version !== '1' || random() < 0.9,
    units,
    meter: habit.meter,
    weight: 1,
    billable: !key.test,
    marks: [],
    status: failure?.status ?? 200,
    refusedBy: failure?.refusedBy ?? [],
    durationUs: Math.round(habit.durationUs * (0.4 + 1.6 * random() ** 3)),
    ...(failure && { fault: faultOf(failure, key) }),
  }
}

const faultOf = ({ code, fields = [], policies = [], retryAfterS }: Failure, key: Key): RecordedFault => ({
  code,
  fields,
  policies,
  keyRevision: key.revision,
  ...(retryAfterS !== undefined && { retryAfterS }),
})

/**
 * Chooses an item by its share: the one in whose part of the summed shares `point` falls. An undefined item takes the
 * rest.
 */
function choose<T extends { readonly share: number } | undefined>(items: readonly T[], point: number): T {
  let sum = 0
  for (const item of items) {
    sum += item?.share ?? Number.POSITIVE_INFINITY
    if (point < sum) return item
  }
  return items.at(-1)!
}
