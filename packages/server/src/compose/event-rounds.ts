import type { Engine } from '../domain/stores.ts'
import { everything } from '../domain/visibility.ts'
import type { VersionDates } from '../events/dated.ts'
import { repeat } from '../kit/repeat.ts'
import { hourMs } from '../kit/time.ts'
import { addDatedEvents } from './dated-events.ts'

/** Options of `startEventRounds`. */
export interface EventRoundOptions {
  readonly versions: readonly VersionDates[]
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
  /** True if events are mailed. */
  readonly isMailSent: boolean
  /** Called periodically while events have receivers: a thread must deliver. */
  readonly onReceivers: () => void
}

const checkEveryMs = 1000
/** Maximum interval between checks for dated events, in milliseconds. */
const datedEveryMs = 300_000
/** Time for which events are kept, in milliseconds: `/events` replays 30 days. */
const keepMs = 31 * 24 * hourMs

/**
 * Periodically adds events that no change causes, and removes old ones. Call it in a thread that serves no requests.
 */
export function startEventRounds(engine: Engine, options: EventRoundOptions): { stop(): Promise<void> } {
  const { nowMs, onError, isMailSent, onReceivers } = options
  const checkReceivers = async () => {
    if (isMailSent || (await engine.webhooks.endpoints(everything)).length > 0) onReceivers()
  }
  const prune = () => engine.events.prune(nowMs() - keepMs)
  const rounds = [createDatedRound(engine, options), checkReceivers]
  const tasks = [
    ...rounds.map(round => repeat(round, { everyMs: checkEveryMs, onError })),
    repeat(prune, { everyMs: hourMs, onError }),
  ]
  return {
    stop: async () => {
      await Promise.all(tasks.map(task => task.stop()))
    },
  }
}

/** Returns a round that adds dated events after each change of keys and partners, and every few minutes. */
function createDatedRound(engine: Engine, { versions, nowMs }: EventRoundOptions): () => Promise<void> {
  let revision: number | undefined
  let checkedMs = 0
  return async () => {
    const current = await engine.keys.revision()
    if (current === revision && Math.abs(nowMs() - checkedMs) < datedEveryMs) return
    await addDatedEvents(engine, versions, nowMs())
    checkedMs = nowMs()
    revision = current
  }
}
