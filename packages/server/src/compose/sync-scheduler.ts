import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { noRuns } from '../domain/sync.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import { repeat } from '../kit/repeat.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import { nextRunMs } from '../usecases/admin/sync-outcome.ts'
import { withoutSettings } from './job-processes.ts'
import type { SyncSettings } from './sync.ts'

/** Interval between looks for syncs that are due, in milliseconds. */
const lookEveryMs = 1000
/** Maximum number of characters of a process's output that are kept, and of its message that are logged. */
const [maxOutputChars, maxMessageChars] = [10_000, 500]

/** Dependencies of the scheduler. */
export interface SyncSchedulerParts {
  readonly engine: Pick<Engine, 'syncs'>
  readonly clock: Clock
  readonly log: Logger
  readonly onFailure?: () => void
}

/**
 * Creates the scheduler of the configured syncs: each run is a process of its own, one at a time, which the
 * states in the stores say is due. Stopping it ends a run after its current batch.
 */
export function createSyncScheduler(
  config: Config,
  { engine, clock, log, onFailure }: SyncSchedulerParts,
): { start(): void; close(): Promise<void> } {
  const stopping = new AbortController()
  // A run that could not store its result, because a disk is full, would be due again at once.
  const startedUs = new Map<string, number>()
  let rounds: { stop(): Promise<void> } | undefined
  const look = async () => {
    for (const settings of config.sync) {
      if (stopping.signal.aborted) return
      const { last = noRuns } = (await engine.syncs.find(settings.name)) ?? {}
      const everyMs = settings.everySeconds * 1000
      const startedUsAgo = clock.monotonicUs() - (startedUs.get(settings.name) ?? Number.NEGATIVE_INFINITY)
      if (nextRunMs(last, everyMs) > clock.nowMs() || startedUsAgo < everyMs * 1000) continue
      startedUs.set(settings.name, clock.monotonicUs())
      const failure = await runProcess(config, settings, stopping.signal)
      if (failure === undefined || stopping.signal.aborted) continue
      log.warn({ sync: settings.name }, `The sync ${settings.name} failed; will retry. ${failure}`)
      onFailure?.()
    }
  }
  const onError = (error: unknown) => log.warn({ err: error }, 'Could not look for syncs that are due; will retry.')
  return {
    start: () => {
      if (config.sync.length > 0) rounds = repeat(look, { everyMs: lookEveryMs, onError })
    },
    close: async () => {
      stopping.abort()
      await rounds?.stop()
    },
  }
}

/** Runs a sync in a process, and returns what it printed if it failed. */
function runProcess(config: Config, { name }: SyncSettings, signal: AbortSignal): Promise<string | undefined> {
  const folder = join(config.data, 'sync')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const settings = join(folder, '.config.json')
  writeFileSync(settings, JSON.stringify(config), { mode: 0o600 })
  const main = fileURLToPath(threadEntry('../cli/main', import.meta.url))
  const args = ['sync', name, '--no-index', '--actor', 'sync', '--data', config.data, '--config', settings, '--json']
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    env: withoutSettings(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  let output = ''
  child.stderr.on('data', (part: Buffer) => {
    output = `${output}${part}`.slice(-maxOutputChars)
  })
  return new Promise(resolve => {
    const end = (failure: string | undefined) => {
      signal.removeEventListener('abort', stop)
      resolve(failure)
    }
    child.once('error', error => end(error.message))
    // The lines before it are of the progress.
    const failureOf = () => output.trim().split('\n').at(-1)!.slice(0, maxMessageChars)
    child.once('close', code => end(code === 0 ? undefined : failureOf()))
  })
}
