import { Command, CommanderError } from 'commander'
import { ConfigMistakes } from '../config/load.ts'
import { NewerSchema } from '../store/sqlite/migrate.ts'
import { addBackupCommand } from './backup.ts'
import { packageVersion } from './bundled.ts'
import { addConfigCommand } from './config.ts'
import { addDemoCommand } from './demo.ts'
import { addEraseCommand } from './erase.ts'
import { addFeedsCommand } from './feeds.ts'
import { addImportCommand } from './import.ts'
import { addKeysCommand } from './keys.ts'
import { addOpenApiCommand } from './openapi.ts'
import { Failed, WrongUse } from './outcome.ts'
import { addPartnersCommand } from './partners.ts'
import { addRestoreCommand } from './restore.ts'
import { addReviewsCommand } from './reviews.ts'
import { addServeCommand } from './serve.ts'
import { addUsageCommand } from './usage.ts'
import { addVerifyCommand } from './verify.ts'

// Started through an older Node (bin/periplus.js): end when that process does.
if (process.env.PERIPLUS_LAUNCHED) {
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
}

// Whoever reads our output may stop early (`| head`): that is no error of theirs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const program = new Command('periplus')
  .description('A self-hosted location data service: places and reviews, metered, limited, versioned and fast.')
  .version(packageVersion())
  .showHelpAfterError('(--help shows what there is)')
  .enablePositionalOptions()

addServeCommand(program)
addDemoCommand(program)
addImportCommand(program)
addPartnersCommand(program)
addKeysCommand(program)
addConfigCommand(program)
addUsageCommand(program)
addReviewsCommand(program)
addEraseCommand(program)
addBackupCommand(program)
addRestoreCommand(program)
addVerifyCommand(program)
addFeedsCommand(program)
addOpenApiCommand(program)
throwInsteadOfExit(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Commander ends the process by itself unless told otherwise, command by command. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/** A sentence for the person, a number for the shell: 1 failed, 2 wrong use, or the command's own. */
function report(error: unknown): number {
  // Commander has printed its own sentence; --help and --version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof WrongUse || error instanceof ConfigMistakes) {
    console.error(error.message)
    return 2
  }
  const foreseen = error instanceof Failed || error instanceof NewerSchema
  console.error(foreseen ? error.message : `Something unexpected went wrong: ${(error as Error).message}`)
  if (!foreseen && process.env.PERIPLUS_DEBUG) console.error(error)
  return error instanceof Failed ? error.exitCode : 1
}
