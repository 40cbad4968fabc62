import type { Command } from 'commander'
import { erasedJson, erasedText, withModeration } from './moderating.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { WrongUse } from './outcome.ts'
import { print } from './print.ts'

/** `periplus erase --user SOURCE:ID` */
export function addEraseCommand(program: Command): void {
  withCommonFlags(program.command('erase'))
    .description('erase all reviews of a user for good, and keep later ones out')
    .option('--user <source:id>', 'the source, and the user_id in it')
    .action(({ user, ...flags }: CommonFlags & { user?: string }) =>
      withModeration(flags, async moderating => {
        const userKey = userKeyOf(user)
        const erased = await moderating.reviews.eraseUser(userKey)
        const swept = await moderating.sweep(erased, userKey)
        print(flags.json, { user: userKey, ...erasedJson(erased, swept) }, () =>
          erasedText(told(userKey, erased.removed), swept),
        )
      }),
    )
}

const told = (userKey: string, removed: number): string =>
  removed === 0
    ? `No review of ${userKey} is in the store; later ones stay out.`
    : `${removed} ${removed === 1 ? 'review' : 'reviews'} of ${userKey} erased; later ones stay out.`

function userKeyOf(text: string | undefined): string {
  if (text === undefined) throw new WrongUse('Say whose reviews to erase: --user SOURCE:ID, as in --user crm:u17.')
  if (!/^[^:]+:./s.test(text))
    throw new WrongUse(`'${text}' is no user: give the source and the user_id in it, as in --user crm:u17.`)
  return text
}
