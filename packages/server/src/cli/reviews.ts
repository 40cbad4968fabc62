import { type Command, Option } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { type Id, parseId } from '../domain/id.ts'
import type { Moderation } from '../domain/moderation.ts'
import type { ModeratedReview } from '../domain/review-list.ts'
import type { Engine } from '../domain/stores.ts'
import { stringifyLongJson } from '../kit/long-json.ts'
import { listedReviewResource } from '../resources/moderated-review.ts'
import { erasedReviewResource, moderatedReviewResource } from '../resources/review.ts'
import { eraseReview } from '../usecases/admin/erase-review.ts'
import { hideReview } from '../usecases/admin/hide-review.ts'
import { listFoundReviews } from '../usecases/admin/list-found-reviews.ts'
import { listModeratedReviews } from '../usecases/admin/list-reviews.ts'
import { showReview } from '../usecases/admin/show-review.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { limitOption } from './limit-option.ts'
import { erasureText, withModeration } from './moderation.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'
import { addReviewsScanCommand, decideFound } from './reviews-scan.ts'

/** `periplus reviews list|scan|hide|show|erase` */
export function addReviewsCommand(program: Command): void {
  const reviews = program.command('reviews').description('Lists, scans, hides, shows and erases reviews.')
  addList(reviews)
  addReviewsScanCommand(reviews)
  const reason = ['--reason <text>', 'reason of the decision, for colleagues'] as const
  const scan = ['--scan <id>', 'all reviews that a scan has found, instead of one'] as const
  addDecision(reviews, 'hide', 'Hides a review: it stays stored but is not served.', hide)
    .option(...reason)
    .option(...scan)
  addDecision(reviews, 'show', 'Makes a hidden review visible again.', show)
    .option(...reason)
    .option(...scan)
  addCommand(reviews, 'erase', 'Permanently erases a review; later imports reject it.', erase)
}

interface ListFlags extends CommonFlags {
  readonly location?: string
  readonly hidden?: boolean
  readonly scan?: string
  readonly limit: number
}

function addList(reviews: Command): void {
  withCommonFlags(reviews.command('list'))
    .description('Lists reviews of all locations or of one, newest id first.')
    .option('--location <id>', 'only reviews of this location')
    .option('--hidden', 'only hidden reviews')
    .addOption(
      new Option('--scan <id>', 'the reviews that a scan has found, in their state now').conflicts([
        'location',
        'hidden',
      ]),
    )
    .addOption(limitOption())
    .action((flags: ListFlags) =>
      withEngine(loadCommandConfig(flags).config, { create: false }, async engine => {
        const list = { reviews: (await readList(engine, flags)).map(listedReviewResource) }
        print(flags.json, list, () =>
          textTable(
            ['review', 'location', 'published', 'rating', 'language'],
            list.reviews.map(one => [
              stringifyLongJson(one.id),
              stringifyLongJson(one.location_id),
              one.published_at,
              one.rating,
              one.language,
            ]),
          ),
        )
      }),
    )
}

async function readList(
  { reviewList, scans }: Engine,
  { location, hidden, scan, limit }: ListFlags,
): Promise<readonly ModeratedReview[]> {
  if (scan !== undefined)
    return unwrapOrThrow(await listFoundReviews({ reviewList, scans }, cliActor(), { scan, limit })).reviews
  const locationId = location === undefined ? undefined : locationOf(location)
  return listModeratedReviews({ reviewList }, cliActor(), { state: hidden ? 'hidden' : 'shown', limit, locationId })
}

function locationOf(text: string): Id {
  const id = parseId(text)
  if (id === undefined) throw new UsageError(`'${text}' is not a location id.`)
  return id
}

interface ModerationFlags extends CommonFlags, ActorFlag {
  readonly reason?: string
  readonly scan?: string
}

/** Runs a command on one review. */
type Work = (moderation: Moderation, id: Id, flags: ModerationFlags) => Promise<void>

function addCommand(reviews: Command, name: string, description: string, work: Work): Command {
  return withActorFlag(withCommonFlags(reviews.command(name)))
    .description(description)
    .argument('<id>', 'id of the review')
    .action((text: string, flags: ModerationFlags) =>
      withModeration(flags, moderation => work(moderation, idOf(text), flags)),
    )
}

/** Adds a command on one review, or on all that a scan has found. */
const addDecision = (reviews: Command, action: 'hide' | 'show', description: string, work: Work): Command =>
  withActorFlag(withCommonFlags(reviews.command(action)))
    .description(description)
    .argument('[id]', 'id of the review')
    .action((text: string | undefined, flags: ModerationFlags) => {
      const { scan, reason } = flags
      if ((text === undefined) === (scan === undefined)) throw new UsageError('Give the id of a review or --scan.')
      return text === undefined
        ? decideFound(flags, { scan: scan!, action, reason })
        : withModeration(flags, moderation => work(moderation, idOf(text), flags))
    })

const hide: Work = async (moderation, id, { json, actor, reason }) => {
  const hidden = unwrapOrThrow(await hideReview(moderation, cliActor(actor), { id, reason }))
  print(json, moderatedReviewResource(hidden), () =>
    hidden.changed ? `Review ${id} is now hidden.` : `Review ${id} was already hidden.`,
  )
}

const show: Work = async (moderation, id, { json, actor, reason }) => {
  const shown = unwrapOrThrow(await showReview(moderation, cliActor(actor), { id, reason }))
  print(json, moderatedReviewResource(shown), () => {
    if (!shown.changed) return `Review ${id} was not hidden.`
    return shown.state === 'shown'
      ? `Review ${id} is shown again.`
      : `Review ${id} is no longer hidden, but its source has since removed it. A later import may restore it.`
  })
}

const erase: Work = async (moderation, id, { json, actor }) => {
  const erasure = unwrapOrThrow(await eraseReview(moderation, cliActor(actor), { id }))
  const result = erasure.removed > 0 ? `Review ${id} has been erased.` : `Review ${id} was not stored.`
  print(json, erasedReviewResource(id, erasure), () => erasureText(result, erasure))
}

function idOf(text: string): Id {
  const id = parseId(text)
  if (id === undefined)
    throw new UsageError(`'${text}' is not a review id. A review id is an integer from 1 to 9223372036854775807.`)
  return id
}
