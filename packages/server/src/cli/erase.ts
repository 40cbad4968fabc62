import type { Command } from 'commander'
import { erasedReviewerResource } from '../resources/review.ts'
import { eraseReviewer } from '../usecases/admin/erase-reviewer.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { erasureText, withModeration } from './moderation.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus erase --user SOURCE:ID` */
export function addEraseCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('erase')))
    .description('Permanently erases all reviews by a user; later ones will be rejected.')
    .option('--user <source:id>', 'the user: name of the source and user_id in that source')
    .action(({ user, ...flags }: CommonFlags & ActorFlag & { user?: string }) =>
      withModeration(flags, async moderation => {
        const erasure = unwrapOrThrow(await eraseReviewer(moderation, cliActor(flags.actor), { reviewer: user }))
        print(flags.json, erasedReviewerResource(user!, erasure), () =>
          erasureText(doneText(user!, erasure.removed), erasure),
        )
      }),
    )
}

const doneText = (user: string, removed: number): string =>
  removed === 0
    ? `No reviews by ${user} are stored. Later ones will be rejected.`
    : `Erased ${removed} ${removed === 1 ? 'review' : 'reviews'} of ${user}. Later ones will be rejected.`
