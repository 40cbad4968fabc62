import type { Command } from 'commander'
import { isBackup } from '../compose/backup-manifest.ts'
import type { JobRecorder } from '../compose/job-recorder.ts'
import { withChecks } from '../compose/verification.ts'
import type { Config } from '../config/load.ts'
import type { FolderProblem, IntegrityCheck } from '../domain/data-folder.ts'
import { StoreError } from '../domain/store-errors.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { verificationResource } from '../resources/verification.ts'
import { verify } from '../usecases/admin/verify.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { CommandError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { recordJob } from './recorded-job.ts'

/** `periplus verify` */
export function addVerifyCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('verify')))
    .description(
      'Checks that all files of the data folder are present, intact and consistent, and lists every problem.',
    )
    .action(async (flags: CommonFlags & ActorFlag) => {
      const { config } = loadCommandConfig(flags)
      const { ok, problems } = await recordJob(config, {
        kind: 'verify' as const,
        actor: cliActor(flags.actor),
        request: {},
        work: async job => {
          await beginIfPossible(config, job)
          return verificationResource(
            await withChecks(config, checks => verify({ checks }, job.actor, { onCheck: recorded(job, checks) })),
          )
        },
        describe: result => ({ result: toJsonObject(result) }),
      })
      print(flags.json, { ok, problems }, () => (ok ? 'No problems found.' : problems.map(problemText).join('\n')))
      if (!ok)
        throw new CommandError(
          problems.length === 1 ? '1 problem was found.' : `${problems.length} problems were found.`,
        )
    })
}

/** Returns the sentence of a problem, which names the file. */
const problemText = ({ file, problem }: FolderProblem): string =>
  problem.includes(file) ? problem : `${file}: ${problem}`

/**
 * Begins the job, unless the folder is a backup, which nothing may change, or cannot be opened, which the checks
 * report.
 */
async function beginIfPossible(config: Config, job: JobRecorder): Promise<void> {
  if (isBackup(config.data)) return
  try {
    await job.begin()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** Returns a function that reports each check, and that ends a cancelled verification by an exception. */
function recorded(job: JobRecorder, checks: readonly IntegrityCheck[]): (name: string) => void {
  let done = 0
  return name => {
    job.signal.throwIfAborted()
    job.report({ phase: 'checks', part: name, unit: 'checks', done: done++, total: checks.length })
    process.stderr.write(`${name} …\n`)
  }
}
