import type { composeAdmin } from '../compose/admin.ts'
import { type DemoCaller, writeDemoHistory } from '../compose/demo-history.ts'
import type { Config } from '../config/load.ts'
import type { Actor } from '../domain/actor.ts'
import type { Key } from '../domain/key.ts'
import { addNote } from '../usecases/admin/add-note.ts'
import { createKey } from '../usecases/admin/create-key.ts'
import { ensurePartner } from '../usecases/admin/ensure-partner.ts'
import { openUpgrade } from '../usecases/admin/open-upgrade.ts'
import { unwrapOrThrow } from './fault-text.ts'

type Admin = ReturnType<typeof composeAdmin>

/** The demo keys of the packages, whose history is part of the sample. */
export interface SampleKeys {
  readonly discover: Key
  readonly growth: Key
}

/**
 * Creates a sample partner with keys, a note and an open request, and 60 days of generated calls, so that no page of a
 * demo is empty.
 */
export async function createDemoSample(config: Config, admin: Admin, actor: Actor, keys: SampleKeys): Promise<void> {
  const partner = unwrapOrThrow(await ensurePartner(admin, actor, { id: 'wayfarer', name: 'Wayfarer Travel (sample)' }))
  const create = async (name: string, packageName: 'discover' | 'growth', test = false) =>
    unwrapOrThrow(await createKey(admin, actor, { partnerId: partner.id, name, packageName, test })).key
  const app = await create('Trip planner app', 'growth')
  const staging = await create('Staging', 'growth', true)
  unwrapOrThrow(
    await addNote(admin, actor, { partnerId: partner.id, text: 'Launches in two more countries next quarter.' }),
  )
  unwrapOrThrow(
    await openUpgrade(admin, actor, {
      keyId: app.id,
      ask: { kind: 'add_on', addOn: 'recommendations' },
      reason: 'We would like to show recommendations in the trip planner.',
    }),
  )
  const callers: DemoCaller[] = [
    { key: keys.growth, weight: 1 },
    { key: keys.discover, weight: 0.5 },
    { key: app, weight: 1.4 },
    { key: staging, weight: 0.2 },
  ]
  await writeDemoHistory(config, callers, admin.clock.nowMs())
}
