import type { Command } from 'commander'
import { type Admin, composeAdmin } from '../compose/admin.ts'
import { withEngine } from '../compose/engine.ts'
import { composeStoredLimits } from '../compose/stored-limits.ts'
import type { LiveState } from '../domain/live-state.ts'
import { type LimitStatusResource, limitStatusResource } from '../resources/limit-status.ts'
import { forgivePenalty } from '../usecases/admin/forgive-penalty.ts'
import { getLimits } from '../usecases/admin/get-limits.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** Adds `periplus keys limits|forgive`. */
export function addKeyLimitCommands(keys: Command): void {
  withCommonFlags(keys.command('limits'))
    .description('Shows what is left of the limits of a key, its open windows and its penalty.')
    .argument('<id>', 'id of the key')
    .action((id: string, flags: CommonFlags) =>
      withLimits(flags, async stores => {
        const { status } = unwrapOrThrow(await getLimits(stores, cliActor(), { id }))
        const shown = limitStatusResource(status)
        print(flags.json, shown, () => limitStatusText(shown))
      }),
    )
  withActorFlag(withCommonFlags(keys.command('forgive')))
    .description('Ends the penalty of a key for retrying too early; a running service follows within a second.')
    .argument('<id>', 'id of the key')
    .action((id: string, flags: CommonFlags & ActorFlag) =>
      withLimits(flags, async stores => {
        const { status, strikes } = unwrapOrThrow(await forgivePenalty(stores, cliActor(flags.actor), { id }))
        const shown = limitStatusResource(status)
        print(flags.json, shown, () => `${forgivenText(id, strikes)}\n\n${limitStatusText(shown)}`)
      }),
    )
}

const withLimits = (
  flags: CommonFlags,
  work: (stores: Admin & { readonly live: Pick<LiveState, 'limitsOf' | 'forgive'> }) => Promise<void>,
): Promise<void> => {
  const { config } = loadCommandConfig(flags)
  return withEngine(config, { create: true }, engine =>
    work({ ...composeAdmin(engine, config), live: composeStoredLimits(engine, config) }),
  )
}

const forgivenText = (id: string, strikes: number): string =>
  strikes === 0
    ? `Key ${id} has no penalty.`
    : `The penalty of key ${id} is forgiven. A running service applies this within a second, otherwise its next start does.`

/** Formats the state of the limits of a key as a table. */
function limitStatusText(status: LimitStatusResource): string {
  const rows = Object.entries(status).map(([name, { calls_left, units_left, window, penalty }]) => [
    name,
    calls_left,
    units_left,
    window?.opened_at,
    window?.ends_at,
    penalty && `${penalty.strikes}${penalty.until === undefined ? '' : `, until ${penalty.until}`}`,
  ])
  return textTable(['limits', 'calls now', 'units left', 'window opened', 'window ends', 'strikes'], rows)
}
