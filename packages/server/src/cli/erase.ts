import type { Command } from 'commander'
import { erasedReviewerResource } from '../resources/review.ts'
import { eraseReviewer } from '../usecases/admin/erase-reviewer.ts'
import { cliActor } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { erasureText, withModeration } from './moderation.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus erase --user SOURCE:ID` */
export function addEraseCommand(program: Command): void {
  withCommonFlags(program.command('erase'))
    .description('Permanently erases all reviews of a user, and rejects later ones.')
    .option('--user <source:id>', 'source of the user and user_id in it')
    .action(({ user, ...flags }: CommonFlags & { user?: string }) =>
      withModeration(flags, async moderation => {
        const erasure = unwrapOrThrow(await eraseReviewer(moderation, cliActor(), { reviewer: user }))
        print(flags.json, erasedReviewerResource(user!, erasure), () =>
          erasureText(doneText(user!, erasure.removed), erasure),
        )
      }),
    )
}

const doneText = (user: string, removed: number): string =>
  removed === 0
    ? `No review of ${user} is stored. Later ones will be rejected.`
    : `Erased ${removed} ${removed === 1 ? 'review' : 'reviews'} of ${user}. Later ones will be rejected.`
