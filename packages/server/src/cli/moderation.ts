import { composeModeration, type OpenModeration } from '../compose/moderation.ts'
import type { Erasure } from '../domain/moderation.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Opens the reviews of the data folder for the work of a command. */
export async function withModeration(
  flags: CommonFlags,
  work: (moderation: OpenModeration) => Promise<void>,
): Promise<void> {
  const moderation = composeModeration(loadCommandConfig(flags).config)
  try {
    await work(moderation)
  } finally {
    await moderation.close()
  }
}

/** Formats an erasure for people: what was done, and what remains to be done. */
export function erasureText(
  done: string,
  { removedCopies, removedRejects, withdrawnSnapshots, pending }: Erasure,
): string {
  return [
    done,
    ...removedCopies.map(name => `Removed ${name}, a copy from before an upgrade: it held the texts as well.`),
    ...(removedRejects > 0 ? [`Removed ${removedRejects} rows from the rejects of imports.`] : []),
    ...(withdrawnSnapshots.length > 0
      ? [
          `Withdrew snapshots of feeds that held the texts: ${withdrawnSnapshots.join(', ')}. The next build makes new full snapshots.`,
        ]
      : []),
    ...(pending.includes('truncate')
      ? ['A process still reads an older state of the store, so the log of the store still holds the texts.']
      : []),
    ...(pending.includes('compact')
      ? ['The store holds a stale copy of the texts, and a running import prevents its compaction.']
      : []),
    pending.length > 0
      ? 'A running service finishes this within the hour; without one, run this command again later.'
      : 'No file of the data folder holds the texts any more. Backups that you keep elsewhere still do.',
  ].join('\n')
}
