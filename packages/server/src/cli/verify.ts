import type { Command } from 'commander'
import { composeVerification } from '../compose/verification.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed } from './outcome.ts'
import { print } from './print.ts'

/** `periplus verify` */
export function addVerifyCommand(program: Command): void {
  withCommonFlags(program.command('verify'))
    .description('prove that the stores are whole and the books agree')
    .action(async (flags: CommonFlags) => {
      const { config } = configOf(flags)
      const problems: string[] = []
      try {
        for await (const { name, problems: found } of composeVerification(config)) {
          process.stderr.write(`${name} …\n`)
          problems.push(...(await found()))
        }
      } catch (error) {
        throw error instanceof MissingDataFolder ? new Failed(error.message) : error
      }
      print(flags.json, { ok: problems.length === 0, problems }, () =>
        problems.length === 0 ? 'Everything agrees.' : problems.join('\n'),
      )
      if (problems.length > 0) throw new Failed(`${problems.length} problems were found.`)
    })
}
