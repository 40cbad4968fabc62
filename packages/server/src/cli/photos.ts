import type { Command } from 'commander'
import { type Id, parseId } from '../domain/id.ts'
import type { Moderation } from '../domain/moderation.ts'
import { apiErasureResource } from '../resources/moderated-review.ts'
import { decidedPhotoResource, photoResource } from '../resources/photo.ts'
import { hidePhoto, showPhoto } from '../usecases/admin/decide-photo.ts'
import { erasePhoto } from '../usecases/admin/erase-photo.ts'
import { listModeratedPhotos } from '../usecases/admin/list-photos.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { limitOption } from './limit-option.ts'
import { erasureText, withModeration } from './moderation.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** `periplus photos list|hide|show|erase` */
export function addPhotosCommand(program: Command): void {
  const photos = program.command('photos').description('Lists, hides, shows and erases photos.')
  addList(photos)
  const reason = ['--reason <text>', 'reason of the decision, for colleagues'] as const
  addCommand(photos, 'hide', 'Hides a photo: its record keeps it, but no response has it.', hide).option(...reason)
  addCommand(photos, 'show', 'Makes a hidden photo visible again.', show).option(...reason)
  addCommand(photos, 'erase', 'Permanently erases a photo; later imports leave it out.', erase)
}

interface ListFlags extends CommonFlags {
  readonly location?: string
  readonly limit: number
}

function addList(photos: Command): void {
  withCommonFlags(photos.command('list'))
    .description('Lists hidden photos, or with --location all photos of a location.')
    .option('--location <id>', 'the photos of this location, hidden ones included')
    .addOption(limitOption())
    .action((flags: ListFlags) =>
      withModeration(flags, async moderation => {
        const query = { locationId: locationOf(flags.location), limit: flags.limit }
        const found = unwrapOrThrow(await listModeratedPhotos(moderation.photos, cliActor(), query))
        const list = { photos: found.map(photoResource) }
        print(flags.json, list, () =>
          textTable(
            ['photo', 'location', 'state', 'reason', 'url'],
            list.photos.map(one => [one.id, one.location_id, one.state, one.reason, one.url]),
          ),
        )
      }),
    )
}

function locationOf(text: string | undefined): Id | undefined {
  const id = text === undefined ? undefined : parseId(text)
  if (text !== undefined && id === undefined) throw new UsageError(`'${text}' is not a location id.`)
  return id
}

interface PhotoFlags extends CommonFlags, ActorFlag {
  readonly reason?: string
}

/** Runs a command on one photo. */
type Work = (moderation: Moderation, id: string, flags: PhotoFlags) => Promise<void>

const addCommand = (photos: Command, name: string, description: string, work: Work): Command =>
  withActorFlag(withCommonFlags(photos.command(name)))
    .description(description)
    .argument('<id>', 'id of the photo')
    .action((id: string, flags: PhotoFlags) => withModeration(flags, moderation => work(moderation, id, flags)))

const hide: Work = async (moderation, id, { json, actor, reason }) => {
  const hidden = unwrapOrThrow(await hidePhoto(moderation, cliActor(actor), { id, reason }))
  const text = hidden.changed ? `Photo ${id} is now hidden.` : `Photo ${id} was already hidden.`
  print(json, decidedPhotoResource(hidden), () => text)
}

const show: Work = async (moderation, id, { json, actor, reason }) => {
  const shown = unwrapOrThrow(await showPhoto(moderation, cliActor(actor), { id, reason }))
  const text = shown.changed ? `Photo ${id} is shown again.` : `Photo ${id} was not hidden.`
  print(json, decidedPhotoResource(shown), () => text)
}

const erase: Work = async (moderation, id, { json, actor }) => {
  const erasure = unwrapOrThrow(await erasePhoto(moderation, cliActor(actor), { id }))
  const result = { id, ...apiErasureResource(erasure) }
  print(json, result, () => erasureText(`Photo ${id} has been erased.`, erasure))
}
