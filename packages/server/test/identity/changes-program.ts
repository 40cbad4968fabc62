/**
 * Program of kill.test.ts: makes changes of people and keys in the data folder of its argument until it is killed, and
 * prints a line after each: `approve UPGRADE`, `rotate KEY LAST4`, `invite EMAIL`.
 */
import { composeAdmin } from '../../src/compose/admin.ts'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeIdentity } from '../../src/compose/identity.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../src/domain/admin-fault.ts'
import { everything } from '../../src/domain/visibility.ts'
import { approveUpgrade } from '../../src/usecases/admin/approve-upgrade.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { inviteUser } from '../../src/usecases/admin/invite-user.ts'
import { openUpgrade } from '../../src/usecases/admin/open-upgrade.ts'
import { rotateKey } from '../../src/usecases/admin/rotate-key.ts'

const config = loadConfig({ defaultFile: '', env: {}, flags: { data: process.argv[2]! }, check: () => [] }).config
const engine = openConfiguredEngine(config, { create: false })
const admin = composeAdmin(engine, config)
const identity = composeIdentity(engine, config)
const actor: Actor = { kind: 'cli', id: 'test', via: 'cli' }
const done = <T extends object>(outcome: T | AdminFault): T => {
  if (isAdminFault(outcome)) throw new Error(outcome.fault)
  return outcome
}

const { key } = done(await createKey(admin, actor, { packageName: 'growth' }))
for (let i = 1; ; i++) {
  const ask = { kind: 'quota', quota: 10_000 + i } as const
  const upgrade = done(await openUpgrade(admin, actor, { ask, keyId: key.id, reason: 'More' }))
  done(await approveUpgrade(admin, actor, { id: upgrade.id, expectedRevision: 1 }))
  console.log(`approve ${upgrade.id}`)
  const { revision } = (await admin.keys.key(key.id, everything))!
  const rotated = done(await rotateKey(admin, actor, { id: key.id, expectedRevision: revision, overlapMs: 0 }))
  console.log(`rotate ${key.id} ${rotated.secret.slice(-4)}`)
  done(await inviteUser(identity, actor, { email: `p${i}@example.org`, role: 'support' }))
  console.log(`invite p${i}@example.org`)
}
