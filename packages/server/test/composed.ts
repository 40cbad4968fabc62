import { type Admin, composeAdmin } from '../src/compose/admin.ts'
import { openConfiguredEngine } from '../src/compose/engine.ts'
import { composeIdentity } from '../src/compose/identity.ts'
import { composeModeration } from '../src/compose/moderation.ts'
import { composeUsage, type Usage } from '../src/compose/usage.ts'
import { withChecks } from '../src/compose/verification.ts'
import type { Config } from '../src/config/load.ts'
import type { Moderation } from '../src/domain/moderation.ts'
import type { Engine } from '../src/domain/stores.ts'
import type { Clock } from '../src/kit/clock.ts'
import type { Identity } from '../src/usecases/admin/identity.ts'
import { verify } from '../src/usecases/admin/verify.ts'

/** Dependencies of use cases, on an engine of their own. */
type Opened<T> = T & { close(): Promise<void> }

function onOwnEngine<T>(config: Config, create: boolean, compose: (engine: Engine, config: Config) => T): Opened<T> {
  const engine = openConfiguredEngine(config, { create })
  return { ...compose(engine, config), close: () => engine.close() }
}

/** Opens partners and keys of a data folder, as a command does. */
export const openAdmin = (config: Config): Opened<Admin> => onOwnEngine(config, true, composeAdmin)

/** Opens the people who sign in, as a command does. */
export const openIdentity = (config: Config, clock?: Clock): Opened<Identity> =>
  onOwnEngine(config, true, (engine, settings) => composeIdentity(engine, settings, clock))

/** Opens the usage of a data folder, as a command does. */
export const openUsage = (config: Config): Opened<Usage> => onOwnEngine(config, false, composeUsage)

/** Opens the moderation of a data folder, as a command does. */
export const openModeration = (config: Config): Opened<Moderation> => onOwnEngine(config, false, composeModeration)

/** Runs all checks of `periplus verify`, and returns the problems found. */
export const verifyFolder = (config: Config): Promise<string[]> =>
  withChecks(config, async checks => {
    const { problems } = await verify({ checks }, { kind: 'system', id: 'test', via: 'system' }, { onCheck: () => {} })
    return problems.map(({ problem }) => problem)
  })
