import { withEngine } from '../compose/engine.ts'
import { composeModeration } from '../compose/moderation.ts'
import type { Erasure, Moderation } from '../domain/moderation.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** Runs `work` with the moderation of the data folder, and closes it. */
export async function withModeration(
  flags: CommonFlags,
  work: (moderation: Moderation) => Promise<void>,
): Promise<void> {
  const { config } = loadCommandConfig(flags)
  await withEngine(config, { create: false }, engine => work(composeModeration(engine, config)))
}

/** Formats an erasure as text: the finished work and the remaining work. */
export function erasureText(
  done: string,
  { removedCopies, removedRejects, withdrawnSnapshots, pending }: Erasure,
): string {
  return [
    done,
    ...removedCopies.map(name => `Removed ${name}, a copy made before an upgrade, which contained the erased texts.`),
    ...(removedRejects > 0 ? [`Removed ${removedRejects} rows from the files of rejected rows.`] : []),
    ...(withdrawnSnapshots.length > 0
      ? [
          `Withdrew feed snapshots that contained the texts: ${withdrawnSnapshots.join(', ')}. The next build makes new full snapshots.`,
        ]
      : []),
    ...(pending.includes('truncate')
      ? ['Another process is reading an older state of the store, so the log of the store still contains the texts.']
      : []),
    ...(pending.includes('compact')
      ? ['The store file still contains stale copies of the texts. A running import prevents its compaction.']
      : []),
    pending.length > 0
      ? 'A running service completes this within the hour. Without a service, run this command again later.'
      : 'No file in the data folder contains the texts any more. Backups stored elsewhere still contain them.',
  ].join('\n')
}
