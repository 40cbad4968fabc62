import { type Command, Option } from 'commander'
import type { Admin } from '../compose/admin.ts'
import { type Key, type KeyChange, type KeyState, keyStates } from '../domain/key.ts'
import type { KeySecret } from '../domain/key-secret.ts'
import { keyOrders } from '../domain/key-stores.ts'
import { parseOrder } from '../domain/list-order.ts'
import { addOnPermissions } from '../domain/package.ts'
import {
  createdKeyResource,
  keyListResource,
  keyResource,
  keyWithSecretsResource,
  rotatedKeyResource,
} from '../resources/key.ts'
import { changeKey } from '../usecases/admin/change-key.ts'
import { createKey } from '../usecases/admin/create-key.ts'
import { endSecret } from '../usecases/admin/end-secret.ts'
import { getKey } from '../usecases/admin/get-key.ts'
import { listKeyPart } from '../usecases/admin/list-keys.ts'
import { listSecrets } from '../usecases/admin/list-secrets.ts'
import { rotateKey } from '../usecases/admin/rotate-key.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { parseDuration } from './duration.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type BoundsFlags, boundsOf, withBoundsFlags } from './key-bounds-flags.ts'
import { addOnsWith, agreementWith, scopeWith, type TermFlags, withTermFlags } from './key-flags.ts'
import { addKeyLimitCommands } from './key-limits.ts'
import { keyListText, keyText, secretListText } from './key-text.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

interface CreateFlags extends CommonFlags, ActorFlag, TermFlags, BoundsFlags {
  readonly partner?: string
  readonly name?: string
  readonly notes?: string
  readonly test?: boolean
}

interface ListFlags extends CommonFlags {
  readonly partner?: string
  readonly state?: KeyState
  /** Undefined for live and test keys. */
  readonly test?: boolean
}

/** `periplus keys create|list|show|revoke|disable|enable|rotate|end-secret|set|limits|forgive` */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Manages API keys: their permissions, limits and secrets.')
  addCreate(keys)
  addList(keys)
  addShow(keys)
  addState(keys, 'revoke', 'Permanently revokes a key.', 'revoked')
  addState(keys, 'disable', 'Suspends a key until it is enabled again.', 'disabled')
  addState(keys, 'enable', 'Enables a disabled key.', 'active')
  addRotate(keys)
  addEndSecret(keys)
  addSet(keys)
  addKeyLimitCommands(keys)
}

function addCreate(keys: Command): void {
  withBoundsFlags(withTermFlags(withActorFlag(withCommonFlags(keys.command('create')))))
    .description('Creates a key and prints its secret, which cannot be shown again.')
    .option('--partner <id>', 'partner that holds the key (default: the partner "default")')
    .option('--name <text>', 'purpose of the key')
    .option('--notes <text>', 'notes that the partner does not see')
    .option('--test', 'test key: never billed, 1,000 units per day, no feeds')
    .action((flags: CreateFlags) =>
      withAdmin(flags, async admin => {
        const created = unwrapOrThrow(
          await createKey(admin, cliActor(flags.actor), {
            partnerId: flags.partner,
            name: flags.name,
            packageName: flags.package,
            test: flags.test === true,
            addOns: addOnsWith([], flags),
            agreement: agreementWith({}, flags),
            scope: scopeWith({}, flags),
            notes: flags.notes,
            ...newBounds(flags),
          }),
        )
        const shown = createdKeyResource(created, admin.packageTable)
        print(flags.json, shown, () => `${keyText(shown)}\n\nThe secret, which cannot be shown again:\n${shown.key}`)
      }),
    )
}

function addList(keys: Command): void {
  withCommonFlags(keys.command('list'))
    .description('Lists keys with their effective limits, oldest first by default, including revoked ones.')
    .option('--partner <id>', 'only keys of this partner')
    .addOption(new Option('--state <state>', 'only keys in this state').choices([...keyStates]))
    .option('--test', 'only test keys')
    .option('--no-test', 'only live keys')
    .addOption(sortOption(keyOrders))
    .action((flags: ListFlags & SortFlag) =>
      withAdmin(flags, async admin => {
        const { partner, state, test } = flags
        const partnerIds = partner === undefined ? undefined : [partner]
        const states = state === undefined ? undefined : [state]
        const order = parseOrder(flags.sort, keyOrders)
        const { rows } = await listKeyPart(admin, cliActor(), { partnerIds, states, test, order })
        const list = keyListResource(rows, admin.packageTable)
        print(flags.json, list, () => keyListText(list.keys))
      }),
    )
}

function addShow(keys: Command): void {
  withCommonFlags(keys.command('show'))
    .description('Shows one key with its effective limits.')
    .argument('<id>', 'id of the key')
    .action((id: string, flags: CommonFlags) =>
      withAdmin(flags, async admin => {
        printWithSecrets(admin, flags, unwrapOrThrow(await listSecrets(admin, cliActor(), { id })))
      }),
    )
}

function addState(keys: Command, name: string, description: string, state: KeyState): void {
  withActorFlag(withCommonFlags(keys.command(name)))
    .description(description)
    .argument('<id>', 'id of the key')
    .addOption(revisionOption())
    .action((id: string, flags: CommonFlags & ActorFlag & RevisionFlag) => change(id, flags, () => ({ state })))
}

function addRotate(keys: Command): void {
  withActorFlag(withCommonFlags(keys.command('rotate')))
    .description('Creates a new secret for a key; earlier secrets stay valid for a while.')
    .argument('<id>', 'id of the key')
    .addOption(
      new Option('--overlap <time>', 'time for which earlier secrets stay valid, such as 90s, 30m, 24h or 7d')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(revisionOption())
    .action((id: string, flags: CommonFlags & ActorFlag & RevisionFlag & { overlap: number }) =>
      withAdmin(flags, async admin => {
        const actor = cliActor(flags.actor)
        const { revision } = unwrapOrThrow(await getKey(admin, actor, { id }))
        const rotation = { id, expectedRevision: flags.ifRevision ?? revision, overlapMs: flags.overlap }
        const rotated = rotatedKeyResource(unwrapOrThrow(await rotateKey(admin, actor, rotation)), admin.packageTable)
        print(
          flags.json,
          rotated,
          () =>
            `The new secret, which cannot be shown again:\n${rotated.key}\n\n` +
            `Earlier secrets are valid until ${rotated.others_expire_at}.`,
        )
      }),
    )
}

function addEndSecret(keys: Command): void {
  withActorFlag(withCommonFlags(keys.command('end-secret')))
    .description('Ends one secret of a key now; the other secrets stay valid.')
    .argument('<id>', 'id of the key')
    .argument('<secret>', "id of the secret, as 'keys show' lists it")
    .addOption(revisionOption())
    .action((id: string, secretId: string, flags: CommonFlags & ActorFlag & RevisionFlag) =>
      withAdmin(flags, async admin => {
        const actor = cliActor(flags.actor)
        const { revision } = unwrapOrThrow(await getKey(admin, actor, { id }))
        const end = { id, expectedRevision: flags.ifRevision ?? revision, secretId }
        unwrapOrThrow(await endSecret(admin, actor, end))
        printWithSecrets(admin, flags, unwrapOrThrow(await listSecrets(admin, actor, { id })))
      }),
    )
}

interface SetFlags extends CommonFlags, ActorFlag, TermFlags, BoundsFlags, RevisionFlag {
  readonly name?: string
  readonly notes?: string | false
}

function addSet(keys: Command): void {
  withBoundsFlags(withTermFlags(withActorFlag(withCommonFlags(keys.command('set')))))
    .description('Changes the terms of a key.')
    .argument('<id>', 'id of the key')
    .option('--name <text>', 'purpose of the key')
    .option('--notes <text>', 'notes that the partner does not see')
    .option('--no-notes', 'remove the notes')
    .addOption(removedAddOns())
    .addOption(revisionOption())
    .action((id: string, flags: SetFlags) =>
      change(id, flags, key => ({
        ...(flags.package !== undefined && { packageName: flags.package }),
        ...(flags.name !== undefined && { name: flags.name }),
        ...(flags.notes !== undefined && { notes: flags.notes === false ? null : flags.notes }),
        ...boundsOf(flags),
        addOns: addOnsWith(key.addOns, flags),
        agreement: agreementWith(key.agreement, flags),
        scope: scopeWith(key.scope, flags),
      })),
    )
}

/** Returns the end and networks of a new key; `never` and `all` are the defaults. */
function newBounds(flags: BoundsFlags): { readonly expiresMs?: number; readonly networks?: readonly string[] } {
  const { expiresMs, networks } = boundsOf(flags)
  return { ...(typeof expiresMs === 'number' && { expiresMs }), ...(networks && { networks }) }
}

/** Returns the option `--no-add-on NAME…`; Commander treats `--no-…` as a switch unless `negate` is off. */
function removedAddOns(): Option {
  const option = new Option('--no-add-on <name...>', 'add-ons to remove').choices([...addOnPermissions])
  option.negate = false
  return option
}

/** Reads a key, changes it from the revision that was read, and prints it. */
const change = (
  id: string,
  flags: CommonFlags & ActorFlag & RevisionFlag,
  changeOf: (key: Key) => KeyChange,
): Promise<void> =>
  withAdmin(flags, async admin => {
    const actor = cliActor(flags.actor)
    const key = unwrapOrThrow(await getKey(admin, actor, { id }))
    const update = { id, expectedRevision: flags.ifRevision ?? key.revision, change: changeOf(key) }
    printKey(admin, flags, unwrapOrThrow(await changeKey(admin, actor, update)))
  })

function printWithSecrets(
  admin: Admin,
  flags: CommonFlags,
  found: { readonly key: Key; readonly secrets: readonly KeySecret[] },
): void {
  const shown = keyWithSecretsResource(found, admin.packageTable)
  print(flags.json, shown, () => `${keyText(shown)}\n\n${secretListText(shown.secrets)}`)
}

function printKey(admin: Admin, flags: CommonFlags, key: Key): void {
  const shown = keyResource(key, admin.packageTable)
  print(flags.json, shown, () => keyText(shown))
}
