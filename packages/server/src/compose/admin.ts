import { createSecret, digestOf } from '../access/key-format.ts'
import type { Config } from '../config/load.ts'
import type { SecretMint } from '../domain/key.ts'
import type { KeyAdmin } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { pepperOf } from '../store/folder/pepper.ts'
import { sqliteKeys } from '../store/sqlite/keys.ts'
import { defaultVersion, resolveLifecycle } from '../versions/lifecycle.ts'
import { openControl } from './stores.ts'

/** What the operator's commands on partners and keys work with. */
export interface Admin {
  readonly keys: KeyAdmin
  readonly mint: SecretMint
  readonly clock: Clock
  /** The version that feeds of a new key are pinned to. */
  readonly latestStable: string
  close(): void
}

/** Partners and keys of a data folder, which is made when it is not there. */
export function composeAdmin(config: Config): Admin {
  const layout = layoutOf(config.data, { create: true })
  const pepper = pepperOf(layout.pepper)
  const control = openControl(layout)
  return {
    keys: sqliteKeys(control),
    mint: { create: createSecret, digest: secret => digestOf(secret, pepper) },
    clock: systemClock,
    latestStable: defaultVersion(resolveLifecycle(config), systemClock.nowMs()).name,
    close: () => control.close(),
  }
}
