import type { Command } from 'commander'
import { withChecks } from '../compose/verification.ts'
import type { FolderProblem } from '../domain/data-folder.ts'
import { verificationResource } from '../resources/verification.ts'
import { verify } from '../usecases/admin/verify.ts'
import { cliActor } from './actor.ts'
import { CommandError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus verify` */
export function addVerifyCommand(program: Command): void {
  withCommonFlags(program.command('verify'))
    .description('Checks that all files of the data folder are there, intact and consistent, and lists every problem.')
    .action(async (flags: CommonFlags) => {
      const { config } = loadCommandConfig(flags)
      const { ok, problems } = verificationResource(
        await withChecks(config, checks =>
          verify({ checks }, cliActor(), { onCheck: name => process.stderr.write(`${name} …\n`) }),
        ),
      )
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
