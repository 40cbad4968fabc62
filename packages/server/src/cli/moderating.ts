import { composeModeration, type Moderating, type Swept } from '../compose/moderation.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import type { Erased } from '../domain/stores.ts'
import { longJson } from '../kit/long-json.ts'
import { type CommonFlags, configOf } from './options.ts'
import { Failed } from './outcome.ts'

/** Opens the data folder for moderation; one that is not there is told in a sentence. */
export async function withModeration(
  flags: CommonFlags,
  work: (moderating: Moderating) => Promise<void>,
): Promise<void> {
  const { config } = configOf(flags)
  const moderating = opened(() => composeModeration(config))
  try {
    await work(moderating)
  } finally {
    moderating.close()
  }
}

function opened(open: () => Moderating): Moderating {
  try {
    return open()
  } catch (error) {
    throw error instanceof MissingDataFolder ? new Failed(error.message) : error
  }
}

/** An erasure as `--json` prints it. */
export const erasedJson = (erased: Erased, { removedCopies, removedRejects, withdrawnSnapshots, pending }: Swept) => ({
  state: 'erased',
  ids: erased.ids.map(longJson),
  removed: erased.removed,
  removed_copies: removedCopies,
  removed_rejects: removedRejects,
  withdrawn_snapshots: withdrawnSnapshots,
  pending,
})

/** The same for a person: what was done, and what is still to be done. */
export function erasedText(
  done: string,
  { removedCopies, removedRejects, withdrawnSnapshots, pending }: Swept,
): string {
  return [
    done,
    ...removedCopies.map(name => `Removed ${name}, which an upgrade had set aside: it held the old texts, too.`),
    ...(removedRejects > 0 ? [`Removed ${removedRejects} rows from the rejects of imports.`] : []),
    ...(withdrawnSnapshots.length > 0
      ? [`Took away snapshots of feeds that held it: ${withdrawnSnapshots.join(', ')}. The next build makes new fulls.`]
      : []),
    ...(pending.includes('truncate')
      ? ['Somebody reads an older state of the store: its log still holds the text.']
      : []),
    ...(pending.includes('compact')
      ? ['The store holds a stale copy of the text, and an import keeps it from being compacted.']
      : []),
    pending.length > 0
      ? 'A running service finishes this within the hour; without one, run this command again later.'
      : 'No file of the data folder holds the text any more. Backups that you keep elsewhere do.',
  ].join('\n')
}
