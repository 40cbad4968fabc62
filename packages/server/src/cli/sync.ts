import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { withEngine } from '../compose/engine.ts'
import type { SyncSettings } from '../compose/sync.ts'
import type { Config } from '../config/load.ts'
import { noRuns } from '../domain/sync.ts'
import { lowerPriority } from '../kit/lower-priority.ts'
import { syncListResource } from '../resources/sync.ts'
import { nextRunMs } from '../usecases/admin/sync-outcome.ts'
import { withActorFlag } from './actor.ts'
import { cancelledBySignals } from './cancelled-by-signals.ts'
import { CommandError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { runRecordedSync } from './recorded-sync.ts'
import { type SyncFlags, selectSyncs, withSyncFlags } from './sync-flags.ts'
import { syncTable } from './sync-text.ts'

/** `periplus sync [NAME…]` and `periplus sync list` */
export function addSyncCommand(program: Command): void {
  const sync = withActorFlag(withCommonFlags(withSyncFlags(program.command('sync'))))
    .description('Reads what has changed in a PostgreSQL database or in the feeds of another service, and stores it.')
    .action(async (names: string[], flags: SyncFlags) => {
      const { config } = loadCommandConfig(flags)
      const selected = selectSyncs(config, names, flags)
      // A service on the same machine has priority.
      lowerPriority()
      await cancelledBySignals(signal =>
        flags.every === undefined
          ? runAll(config, selected, flags, signal)
          : runForever(config, selected, flags, signal),
      )
    })
  withCommonFlags(sync.command('list'))
    .description('Lists the syncs that have run, with their last success and failure.')
    .action(async (flags: CommonFlags) => {
      const { config } = loadCommandConfig({ ...sync.opts<CommonFlags>(), ...flags })
      const states = await withEngine(config, { create: false }, engine => engine.syncs.list())
      print(flags.json ?? sync.opts<CommonFlags>().json, syncListResource(states), () => syncTable(states))
    })
}

/** Runs each sync once; a failure of one does not keep the others from running. */
async function runAll(
  config: Config,
  selected: readonly SyncSettings[],
  flags: SyncFlags,
  signal: AbortSignal,
): Promise<void> {
  const failures: string[] = []
  for (const settings of selected) {
    if (signal.aborted) break
    const failure = await runRecordedSync(config, settings, flags, signal)
    if (failure) failures.push(selected.length > 1 ? `${settings.name}: ${failure.message}` : failure.message)
  }
  if (failures.length > 0) throw new CommandError(failures.join('\n'))
}

/** Runs the syncs until a signal. After a failure the time to the next run doubles, up to an hour. */
async function runForever(
  config: Config,
  selected: readonly SyncSettings[],
  flags: SyncFlags,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const next: number[] = []
    for (const settings of selected) {
      if (signal.aborted) return
      const failure = await runRecordedSync(config, settings, flags, signal)
      if (failure) process.stderr.write(`${settings.name}: ${failure.message}\n`)
      const state = await withEngine(config, { create: true }, engine => engine.syncs.find(settings.name))
      next.push(nextRunMs(state?.last ?? noRuns, flags.every!))
    }
    const waitMs = Math.max(1000, Math.min(...next) - Date.now())
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}
