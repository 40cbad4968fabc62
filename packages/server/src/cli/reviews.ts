import type { Command } from 'commander'
import type { Moderating } from '../compose/moderation.ts'
import { type Id, parseId } from '../domain/id.ts'
import { longJson } from '../kit/long-json.ts'
import { erasedJson, erasedText, withModeration } from './moderating.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print } from './print.ts'

/** `periplus reviews hide|show|erase` */
export function addReviewsCommand(program: Command): void {
  const reviews = program.command('reviews').description('single reviews: hide, show again, or erase for good')
  addHide(reviews)
  addShow(reviews)
  addErase(reviews)
}

function addHide(reviews: Command): void {
  onReview(reviews, 'hide', 'take a review out of everything that is served, and keep it', async (id, moderating) => {
    const done = await moderating.reviews.hide(id)
    if (done === 'unknown' || done === 'erased') throw refusal(id, done)
    return {
      id,
      state: 'hidden',
      text: done === 'hidden' ? `Review ${id} is hidden.` : `Review ${id} was hidden already.`,
    }
  })
}

function addShow(reviews: Command): void {
  onReview(reviews, 'show', 'undo hide', async (id, moderating) => {
    const done = await moderating.reviews.show(id)
    if (done === 'unknown' || done === 'erased') throw refusal(id, done)
    const text = {
      shown: `Review ${id} is shown again.`,
      unchanged: `Review ${id} was not hidden.`,
      removed: `Review ${id} is hidden no more, but its source has removed it meanwhile; the next import may bring it back.`,
    }
    return { id, state: done === 'removed' ? 'removed' : 'shown', text: text[done] }
  })
}

function addErase(reviews: Command): void {
  withCommonFlags(reviews.command('erase'))
    .description('erase a review for good; no import brings it back')
    .argument('<id>', 'id of the review')
    .action((text: string, flags: CommonFlags) =>
      withModeration(flags, async moderating => {
        const id = idOf(text)
        const erased = await moderating.reviews.erase(id)
        if (!erased) throw refusal(id, 'unknown')
        const swept = await moderating.sweep(erased)
        const what = erased.removed > 0 ? `Review ${id} is erased.` : `Review ${id} was not in the store any more.`
        print(flags.json, { id: longJson(id), ...erasedJson(erased, swept) }, () => erasedText(what, swept))
      }),
    )
}

function onReview(
  reviews: Command,
  name: string,
  description: string,
  work: (id: Id, moderating: Moderating) => Promise<{ id: Id; state: string; text: string }>,
): void {
  withCommonFlags(reviews.command(name))
    .description(description)
    .argument('<id>', 'id of the review')
    .action((text: string, flags: CommonFlags) =>
      withModeration(flags, async moderating => {
        const { id, state, text: told } = await work(idOf(text), moderating)
        print(flags.json, { id: longJson(id), state }, () => told)
      }),
    )
}

const refusal = (id: Id, why: 'unknown' | 'erased'): Failed =>
  new Failed(
    why === 'erased' ? `Review ${id} was erased; that is final.` : `There is no review ${id} in the data folder.`,
  )

function idOf(text: string): Id {
  const id = parseId(text)
  if (id === undefined)
    throw new WrongUse(`'${text}' is not the id of a review: it must be a whole number from 1 to 9223372036854775807.`)
  return id
}
