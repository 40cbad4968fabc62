import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { grantOf } from '../access/grant.ts'
import { type Admin, composeAdmin } from '../compose/admin.ts'
import type { Config } from '../config/load.ts'
import { type FeedName, type FeedPinChange, feedNames } from '../domain/feed.ts'
import type { Key } from '../domain/key.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print, textTable } from './print.ts'

/** `periplus feeds pin|pins` */
export function addPinCommands(feeds: Command): void {
  withCommonFlags(feeds.command('pin'))
    .description('set in which version a key takes a feed; nothing else ever moves it')
    .argument('<key>', 'id of the key')
    .argument('<feed>', feedNames.join(', '))
    .argument('<version>', 'the version, such as 1')
    .option('--by <name>', 'who decided it (default: the name of the system user)')
    .action((id: string, feed: string, version: string, flags: CommonFlags & { by?: string }) =>
      withAdmin(flags, (admin, config) => pin(admin, config, { id, feed, version }, flags)),
    )

  withCommonFlags(feeds.command('pins'))
    .description('the versions that keys are pinned to; of one key, also who changed them and when')
    .argument('[key]', 'id of the key')
    .action((id: string | undefined, flags: CommonFlags) =>
      withAdmin(flags, (admin, config) =>
        id === undefined ? showAll(admin, config, flags) : showOne(admin, id, flags),
      ),
    )
}

interface Asked {
  readonly id: string
  readonly feed: string
  readonly version: string
}

async function pin(admin: Admin, config: Config, asked: Asked, flags: CommonFlags & { by?: string }): Promise<void> {
  const feed = feedNames.find(name => name === asked.feed)
  if (!feed) throw new WrongUse(`There is no feed ${asked.feed}; there are ${feedNames.join(', ')}.`)
  const { to, warning } = pinnable(config, asked.version)
  const key = await keyOf(admin, asked.id)
  if (key.state === 'revoked') throw new Failed(`The key ${key.id} is revoked, and takes no feeds any longer.`)
  const from = key.feedPins[feed]
  const by = flags.by ?? userInfo().username
  if (from !== to) await admin.keys.pinFeed({ keyId: key.id, feed, from, to, by, atMs: admin.clock.nowMs() })
  if (warning) process.stderr.write(`${warning}\n`)
  if (!grantOf(key, config).permissions.has('feeds')) process.stderr.write(`${whyNone(key, config)}\n`)
  print(flags.json, { key: key.id, feed, from, version: to, changed: from !== to, by }, () =>
    from === to
      ? `${key.id} takes ${feed} in version ${to} already.`
      : `${key.id} takes ${feed} in version ${to} from now on; it was ${from}. It begins with a full, which the next build makes where there is none.`,
  )
}

/** Why a key may not take feeds, and what would change that. */
function whyNone(key: Key, config: Config): string {
  if (key.test) return `The key ${key.id} is a test key, and such take no feeds.`
  const unscoped = { ...key, scope: {} }
  return grantOf(unscoped, config).permissions.has('feeds')
    ? `The key ${key.id} has a scope, and a feed is the whole data set: it takes none.`
    : `The key ${key.id} may not take feeds; 'periplus keys set ${key.id} --add-on feeds' allows it.`
}

/** A version that feeds can be pinned to, and what is to be said of it; throws a sentence for any other. */
function pinnable(config: Config, text: string): { to: string; warning?: string } {
  const to = text.replace(/^v(?=\d)/i, '')
  const { versions } = resolveLifecycle(config)
  const open = versions.filter(one => one.version && !config.feeds.endedVersions.includes(one.name))
  const choice = `Feeds can be pinned to ${open.map(one => one.name).join(', ')}.`
  if (to === 'beta') throw new WrongUse(`Beta changes without notice, and no feed is built in it. ${choice}`)
  if (config.feeds.endedVersions.includes(to))
    throw new WrongUse(`Feeds in version ${to} have ended (feeds.endedVersions). ${choice}`)
  const entry = open.find(one => one.name === to)
  if (!entry) throw new WrongUse(`There is no version ${text}. ${choice}`)
  if (entry.status === 'preview')
    return { to, warning: `Version ${to} is a preview: it may change until it is promoted.` }
  if (entry.status === 'deprecated' || entry.status === 'retired')
    return { to, warning: `Version ${to} is ${entry.status}: its feeds end when feeds.endedVersions lists it.` }
  return { to }
}

async function showAll(admin: Admin, config: Config, flags: CommonFlags): Promise<void> {
  const keys = (await admin.keys.keys()).filter(key => key.state !== 'revoked')
  const takes = (key: Key) => grantOf(key, config).permissions.has('feeds')
  print(
    flags.json,
    { keys: keys.map(key => ({ id: key.id, name: key.name, takes_feeds: takes(key), pins: key.feedPins })) },
    () =>
      textTable(
        ['key', 'name', 'takes feeds', ...feedNames],
        keys.map(key => [key.id, key.name, takes(key) ? 'yes' : 'no', ...pinsOf(key)]),
      ),
  )
}

async function showOne(admin: Admin, id: string, flags: CommonFlags): Promise<void> {
  const key = await keyOf(admin, id)
  const history = await admin.keys.feedPinChanges(id)
  print(flags.json, { id, pins: key.feedPins, history: history.map(changeJson) }, () =>
    [
      textTable([...feedNames], [pinsOf(key)]),
      history.length === 0
        ? 'They are as they were when the key was made.'
        : textTable(
            ['when', 'feed', 'from', 'to', 'by'],
            history.map(one => [timeOf(one), one.feed, one.from, one.to, one.by]),
          ),
    ].join('\n\n'),
  )
}

const pinsOf = ({ feedPins }: Key): string[] => feedNames.map((feed: FeedName) => feedPins[feed])
const timeOf = ({ atMs }: FeedPinChange): string => new Date(atMs).toISOString()
const changeJson = (one: FeedPinChange) => ({ feed: one.feed, from: one.from, to: one.to, by: one.by, at: timeOf(one) })

async function keyOf(admin: Admin, id: string): Promise<Key> {
  const key = await admin.keys.key(id)
  if (!key) throw new Failed(`There is no key ${id}; 'periplus keys list' shows all.`)
  return key
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
