import { type Command, InvalidArgumentError, Option } from 'commander'
import { v7 as uuidv7 } from 'uuid'
import { type Admin, composeAdmin } from '../compose/admin.ts'
import type { Config } from '../config/load.ts'
import type { Key, KeyState } from '../domain/key.ts'
import { changeKey } from '../usecases/admin/change-key.ts'
import { createKey } from '../usecases/admin/create-key.ts'
import { rotateKey } from '../usecases/admin/rotate-key.ts'
import { addOnNames, addOnsWith, agreementWith, scopeWith, type TermFlags, withTermFlags } from './key-flags.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print, textTable } from './print.ts'
import { keyJson, keyText } from './show-key.ts'

interface CreateFlags extends CommonFlags, TermFlags {
  readonly partner?: string
  readonly name?: string
  readonly test?: boolean
}

/** The partner of keys that were made without one. */
const defaultPartner = { id: 'default', name: 'Default partner' }

/** `periplus keys create|list|show|revoke|disable|enable|rotate|set` */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys: what they may do, and how much of it')
  addCreate(keys)
  addList(keys)
  addShow(keys)
  addState(keys, 'revoke', 'end a key for good', 'revoked')
  addState(keys, 'disable', 'end a key until it is enabled again', 'disabled')
  addState(keys, 'enable', 'undo disable', 'active')
  addRotate(keys)
  addSet(keys)
}

function addCreate(keys: Command): void {
  withTermFlags(withCommonFlags(keys.command('create')))
    .description('make a key; it is printed once')
    .option('--partner <id>', 'who holds it')
    .option('--name <text>', 'what it is for')
    .option('--test', 'never billed, 1,000 units a day, no feeds')
    .action((flags: CreateFlags) =>
      withAdmin(flags, async (admin, config) => {
        if (flags.package === undefined)
          throw new WrongUse(
            'Say which package the key belongs to: --package discover, growth, scale, innovate or transform.',
          )
        const made = await createKey(admin.keys, admin.mint, config, {
          id: `key_${uuidv7()}`,
          partnerId: await partnerFor(admin, flags.partner),
          ...(flags.name !== undefined && { name: flags.name }),
          test: flags.test === true,
          packageName: flags.package,
          addOns: addOnsWith([], flags),
          agreement: agreementWith({}, flags),
          scope: scopeWith({}, flags),
          feedVersion: admin.latestStable,
          nowMs: admin.clock.nowMs(),
        })
        if ('refused' in made) throw new WrongUse(made.refused)
        const { key, secret } = made
        print(
          flags.json,
          { ...keyJson(key, config), key: secret },
          () => `${keyText(key, config)}\n\nThe key, shown this once:\n${secret}`,
        )
      }),
    )
}

function addList(keys: Command): void {
  withCommonFlags(keys.command('list'))
    .description('all keys with their effective limits')
    .action((flags: CommonFlags) =>
      withAdmin(flags, async (admin, config) => {
        const all = (await admin.keys.keys()).map(key => keyJson(key, config))
        const limit = ({ value, source }: { value: unknown; source: string }) => `${value} (${source})`
        print(flags.json, { keys: all }, () =>
          textTable(
            [
              'id',
              'name',
              'partner',
              'package',
              'state',
              'rate',
              'burst',
              'quota',
              'search rate',
              'search burst',
              'search quota',
            ],
            all.map(k => [k.id, k.name, k.partner_id, k.package, k.state, ...Object.values(k.limits).map(limit)]),
          ),
        )
      }),
    )
}

function addShow(keys: Command): void {
  withCommonFlags(keys.command('show'))
    .description('one key with its effective limits')
    .argument('<id>', 'id of the key')
    .action((id: string, flags: CommonFlags) =>
      withAdmin(flags, async (admin, config) => {
        const key = await keyOf(admin, id)
        print(flags.json, keyJson(key, config), () => keyText(key, config))
      }),
    )
}

function addState(keys: Command, name: string, description: string, state: KeyState): void {
  withCommonFlags(keys.command(name))
    .description(description)
    .argument('<id>', 'id of the key')
    .action((id: string, flags: CommonFlags) =>
      withAdmin(flags, (admin, config) => change(admin, config, flags, id, () => ({ state }))),
    )
}

function addRotate(keys: Command): void {
  withCommonFlags(keys.command('rotate'))
    .description('a new secret for the same key; the old one works for a while longer')
    .argument('<id>', 'id of the key')
    .option('--overlap <time>', 'how long the old secret still works: 90s, 30m, 24h, 7d', duration, 24 * 3_600_000)
    .action((id: string, flags: CommonFlags & { overlap: number }) =>
      withAdmin(flags, async (admin, config) => {
        const key = await keyOf(admin, id)
        if (key.state === 'revoked')
          throw new Failed(`The key ${id} is revoked, and that is final: create another one.`)
        const secret = await rotateKey(admin.keys, admin.mint, key, admin.clock.nowMs(), flags.overlap)
        const until = new Date(admin.clock.nowMs() + flags.overlap).toISOString()
        print(
          flags.json,
          { ...keyJson(key, config), key: secret, others_expire_at: until },
          () => `The new key, shown this once:\n${secret}\n\nOlder ones work until ${until}.`,
        )
      }),
    )
}

function addSet(keys: Command): void {
  withTermFlags(withCommonFlags(keys.command('set')))
    .description('change what a key may do')
    .argument('<id>', 'id of the key')
    .option('--name <text>', 'what it is for')
    .addOption(removedAddOns())
    .action((id: string, flags: CommonFlags & TermFlags & { name?: string }) =>
      withAdmin(flags, (admin, config) =>
        change(admin, config, flags, id, key => ({
          ...(flags.package !== undefined && { packageName: flags.package }),
          ...(flags.name !== undefined && { name: flags.name }),
          addOns: addOnsWith(key.addOns, flags),
          agreement: agreementWith(key.agreement, flags),
          scope: scopeWith(key.scope, flags),
        })),
      ),
    )
}

/** Commander takes `--no-…` for a switch without a value unless told otherwise. */
function removedAddOns(): Option {
  const option = new Option('--no-add-on <name...>', 'take an add-on away').choices(addOnNames)
  option.negate = false
  return option
}

async function change(
  admin: Admin,
  config: Config,
  flags: CommonFlags,
  id: string,
  to: (key: Key) => Parameters<typeof changeKey>[3],
): Promise<void> {
  const key = await keyOf(admin, id)
  const changed = await changeKey(admin.keys, config, key, to(key))
  if ('refused' in changed) throw new WrongUse(changed.refused)
  print(flags.json, keyJson(changed, config), () => keyText(changed, config))
}

async function withAdmin(flags: CommonFlags, work: (admin: Admin, config: Config) => Promise<void>): Promise<void> {
  const { config } = configOf(flags)
  const admin = composeAdmin(config)
  try {
    await work(admin, config)
  } finally {
    admin.close()
  }
}

async function keyOf(admin: Admin, id: string): Promise<Key> {
  const key = await admin.keys.key(id)
  if (!key) throw new Failed(`There is no key ${id}; 'periplus keys list' shows all.`)
  return key
}

async function partnerFor(admin: Admin, id: string | undefined): Promise<string> {
  const wanted = id ?? defaultPartner.id
  if (await admin.keys.partner(wanted)) return wanted
  if (id !== undefined) throw new Failed(`There is no partner ${id}; 'periplus partners list' shows all.`)
  await admin.keys.createPartner({ ...defaultPartner, createdMs: admin.clock.nowMs() })
  return wanted
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `24h` -> milliseconds. */
function duration(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  if (!match) throw new InvalidArgumentError('It must be a number and a unit, such as 90s, 30m, 24h or 7d.')
  return Number(match[1]) * units[match[2]!]!
}
