import type { Command } from 'commander'
import { withEngine } from '../compose/engine.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { composeModeration } from '../compose/moderation.ts'
import type { JobProgress } from '../domain/job.ts'
import type { FoundDecision } from '../domain/job-process.ts'
import type { ScanQuery } from '../domain/review-list.ts'
import type { Engine } from '../domain/stores.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { moderateFound } from '../usecases/admin/moderate-found.ts'
import { runReviewScan } from '../usecases/admin/run-review-scan.ts'
import { checkScan, describeScan } from '../usecases/admin/start-review-scan.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { faultError } from './fault-text.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { recordJob } from './recorded-job.ts'

interface ScanFlags extends CommonFlags, ActorFlag {
  readonly user?: string
  readonly text?: string
  readonly hidden?: boolean
}

/** `periplus reviews scan` */
export function addReviewsScanCommand(reviews: Command): void {
  withActorFlag(withCommonFlags(reviews.command('scan')))
    .description('Reads all reviews for those of a user or with a text, and keeps the result for a day.')
    .option('--user <source:id>', 'only reviews by this user')
    .option('--text <text>', 'only reviews with this text in the title or text, in any case')
    .option('--hidden', 'hidden reviews instead of shown ones')
    .action(async (flags: ScanFlags) => {
      const { config } = loadCommandConfig(flags)
      const query: ScanQuery = { state: flags.hidden ? 'hidden' : 'shown', user: flags.user, text: flags.text }
      const outcome = await recordJob(config, {
        kind: 'scan' as const,
        actor: cliActor(flags.actor),
        request: describeScan(query),
        work: job => withEngine(config, { create: false }, engine => scan(job, engine, query)),
        describe: result => ({ result: toJsonObject(result) }),
      })
      const { scan: id, found, read } = outcome
      print(flags.json, outcome, () =>
        [`${id}: ${found} of ${read} reviews match.`, `Run 'periplus reviews list --scan ${id}' to see them.`].join(
          '\n',
        ),
      )
    })
}

/** Runs the scan that the service has added, which has its query already, or a new one. */
async function scan(job: JobRecorder, { reviewList, scans }: Engine, query: ScanQuery) {
  if (!job.isStartedRemotely) {
    const fault = checkScan(query)
    if (fault) throw faultError(fault)
    await job.begin()
    await scans.create(job.id!, query)
  }
  const result = await runReviewScan({ reviewList, scans }, job.actor, {
    scan: job.id!,
    onRead: reporter(job),
    signal: job.signal,
  })
  if ('fault' in result) return result
  const { read, found, isCut } = result
  return { scan: job.id!, read, found, truncated: isCut }
}

/** Hides or shows all reviews that a scan has found, as a job. */
export async function decideFound(flags: CommonFlags & ActorFlag, decision: FoundDecision): Promise<void> {
  const { config } = loadCommandConfig(flags)
  const { found, changed } = await recordJob(config, {
    kind: 'moderation' as const,
    actor: cliActor(flags.actor),
    request: { scan: decision.scan, action: decision.action },
    work: async job => {
      await job.begin()
      return withEngine(config, { create: false }, engine =>
        moderateFound({ moderation: composeModeration(engine, config), scans: engine.scans }, job.actor, {
          ...decision,
          onDone: reporter(job),
          signal: job.signal,
        }),
      )
    },
    describe: result => ({ result: toJsonObject(result) }),
  })
  const done = decision.action === 'hide' ? 'now hidden' : 'shown again'
  print(flags.json, { scan: decision.scan, found, changed }, () => `${changed} of ${found} reviews are ${done}.`)
}

const reporter =
  (job: JobRecorder) =>
  (done: number, total: number): void =>
    job.report({ phase: 'reviews', done, total, unit: 'records' } satisfies JobProgress)
