import { Command, CommanderError } from 'commander'
import { ConfigMistakes } from '../config/load.ts'
import { NewerSchema } from '../store/sqlite/migrate.ts'
import { packageVersion } from './bundled.ts'
import { fileFault } from './file-fault.ts'
import { Failed, WrongUse } from './outcome.ts'

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

/** What adds each command. Only the one that was named is loaded, which halves the time that a start takes. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
  import: async () => (await import('./import.ts')).addImportCommand,
  partners: async () => (await import('./partners.ts')).addPartnersCommand,
  keys: async () => (await import('./keys.ts')).addKeysCommand,
  config: async () => (await import('./config.ts')).addConfigCommand,
  usage: async () => (await import('./usage.ts')).addUsageCommand,
  reviews: async () => (await import('./reviews.ts')).addReviewsCommand,
  erase: async () => (await import('./erase.ts')).addEraseCommand,
  backup: async () => (await import('./backup.ts')).addBackupCommand,
  restore: async () => (await import('./restore.ts')).addRestoreCommand,
  verify: async () => (await import('./verify.ts')).addVerifyCommand,
  feeds: async () => (await import('./feeds.ts')).addFeedsCommand,
  openapi: async () => (await import('./openapi.ts')).addOpenApiCommand,
}

const program = new Command('periplus')
  .description('A self-hosted location data service: places and reviews, metered, limited, versioned and fast.')
  .version(packageVersion())
  .showHelpAfterError('(--help shows what there is)')
  .enablePositionalOptions()

const name = process.argv[2] ?? ''
const needed = Object.hasOwn(commands, name) ? [commands[name]!] : Object.values(commands)
for (const load of needed) (await load())(program)
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
  const sentence = error instanceof Failed || error instanceof NewerSchema ? error.message : fileFault(error)
  console.error(sentence ?? `Something unexpected went wrong: ${(error as Error).message}`)
  if (sentence === undefined && process.env.PERIPLUS_DEBUG) console.error(error)
  return error instanceof Failed ? error.exitCode : 1
}
