import type { Command } from 'commander'
import type { Admin } from '../compose/admin.ts'
import type { Actor } from '../domain/actor.ts'
import { isAdminFault } from '../domain/admin-fault.ts'
import { feedNames } from '../domain/feed.ts'
import {
  feedPinHistoryResource,
  feedPinListResource,
  movedPinResource,
  pinPreviewResource,
} from '../resources/feed-pin.ts'
import { getKey } from '../usecases/admin/get-key.ts'
import { getPins } from '../usecases/admin/get-pins.ts'
import { listPins } from '../usecases/admin/list-pins.ts'
import { pinFeed } from '../usecases/admin/pin-feed.ts'
import { previewPin } from '../usecases/admin/preview-pin.ts'
import { undoPin } from '../usecases/admin/undo-pin.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { withAdmin } from './admin.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { pinnedText, pinWarnings } from './feeds-pins-texts.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'

/** `periplus feeds pin|pins` */
export function addPinCommands(feeds: Command): void {
  withActorFlag(withCommonFlags(feeds.command('pin')))
    .description('Sets the version in which a key gets a feed. Only this command changes it.')
    .argument('<key>', 'id of the key')
    .argument('<feed>', feedNames.join(', '))
    .argument('[version]', 'version, such as 1')
    .option('--preview', 'show what would change, and change nothing')
    .option('--undo', 'return to the version before the last move, at most 72 hours later')
    .option('--by <name>', 'earlier name of --actor')
    .addOption(revisionOption())
    .action(pin)

  withCommonFlags(feeds.command('pins'))
    .description('Lists the versions that keys are pinned to; for one key, also the history of its changes.')
    .argument('[key]', 'id of the key')
    .action((id: string | undefined, flags: CommonFlags) => (id === undefined ? showAll(flags) : showOne(id, flags)))
}

/** Removes a leading `v`: `v1` gives `1`. */
export const parseVersionName = (text: string): string => text.replace(/^v(?=\d)/i, '')

interface PinFlags extends CommonFlags, ActorFlag, RevisionFlag {
  readonly by?: string
  readonly preview?: boolean
  readonly undo?: boolean
}

async function pin(id: string, feed: string, version: string | undefined, flags: PinFlags): Promise<void> {
  if (flags.undo ? version !== undefined || flags.preview : version === undefined)
    throw new UsageError(
      flags.undo
        ? 'Use --undo without a version and without --preview.'
        : 'The argument <version> is required. Run the command with --help to see what it takes.',
    )
  await withAdmin(flags, async admin => {
    const actor = cliActor(flags.actor ?? flags.by)
    if (flags.preview) return showPreview(admin, actor, flags, { id, feed, version: parseVersionName(version!) })
    const expectedRevision = flags.ifRevision ?? (await revisionOf(admin, actor, id))
    const moved =
      version === undefined
        ? await undoPin(admin, actor, { id, feed, expectedRevision })
        : await pinFeed(admin, actor, { id, feed, version: parseVersionName(version), expectedRevision })
    const pinned = unwrapOrThrow(moved)
    for (const warning of pinWarnings(pinned)) process.stderr.write(`${warning}\n`)
    print(flags.json, movedPinResource(pinned, actor.id), () => pinnedText(pinned))
  })
}

async function showPreview(
  admin: Admin,
  actor: Actor,
  flags: PinFlags,
  input: { readonly id: string; readonly feed: string; readonly version: string },
): Promise<void> {
  const preview = unwrapOrThrow(await previewPin(admin, actor, input))
  for (const warning of pinWarnings(preview)) process.stderr.write(`${warning}\n`)
  const shown = pinPreviewResource(preview)
  print(flags.json, shown, () => {
    const names = (list: readonly string[]) => (list.length === 0 ? '-' : list.join(', '))
    return textPairs([
      ['feed', `${shown.feed}, from version ${shown.from} to ${shown.version}`],
      ['new members', names(shown.added)],
      ['missing members', names(shown.removed)],
      ['changed members', names(shown.altered)],
      [
        'first download',
        shown.snapshot ? `${shown.snapshot.id} (${shown.snapshot.bytes} bytes)` : 'made by the next build',
      ],
    ])
  })
}

/**
 * Returns the revision of a key; 0 for an unknown key, which the use case rejects after it has checked the other input.
 */
async function revisionOf(admin: Admin, actor: Actor, id: string): Promise<number> {
  const key = await getKey(admin, actor, { id })
  return isAdminFault(key) ? 0 : key.revision
}

const showAll = (flags: CommonFlags): Promise<void> =>
  withAdmin(flags, async admin => {
    const list = feedPinListResource(await listPins(admin, cliActor()))
    print(flags.json, list, () =>
      textTable(
        ['key', 'name', 'can use feeds', ...feedNames],
        list.keys.map(key => [
          key.id,
          key.name,
          key.takes_feeds ? 'yes' : 'no',
          ...feedNames.map(feed => key.pins[feed]),
        ]),
      ),
    )
  })

const showOne = (id: string, flags: CommonFlags): Promise<void> =>
  withAdmin(flags, async admin => {
    const { pins, history, ...key } = feedPinHistoryResource(unwrapOrThrow(await getPins(admin, cliActor(), { id })))
    print(flags.json, { ...key, pins, history }, () =>
      [
        textTable(feedNames, [feedNames.map(feed => pins[feed])]),
        history.length === 0
          ? 'The pins have not changed since the key was created.'
          : textTable(
              ['when', 'feed', 'from', 'to', 'by'],
              history.map(one => [one.at, one.feed, one.from, one.to, one.by]),
            ),
      ].join('\n\n'),
    )
  })
