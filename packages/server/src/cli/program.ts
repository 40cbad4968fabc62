import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import { InvalidConfig } from '../config/load.ts'
import { StoreError } from '../domain/store-errors.ts'
import { packageVersion } from './bundled.ts'
import { CommandError, UsageError } from './errors.ts'
import { fileErrorText } from './file-error.ts'
import { toSentences } from './parser-messages.ts'
import { storeErrorText } from './store-error-text.ts'

/** Loaders of the commands. Loading only the requested command halves the start-up time. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  work: async () => (await import('./work.ts')).addWorkCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
  import: async () => (await import('./import.ts')).addImportCommand,
  sync: async () => (await import('./sync.ts')).addSyncCommand,
  locations: async () => (await import('./locations.ts')).addLocationsCommand,
  suggestions: async () => (await import('./suggestions.ts')).addSuggestionsCommand,
  match: async () => (await import('./match.ts')).addMatchCommand,
  dedupe: async () => (await import('./dedupe.ts')).addDedupeCommand,
  imports: async () => (await import('./jobs.ts')).addImportsCommand,
  jobs: async () => (await import('./jobs.ts')).addJobsCommand,
  partners: async () => (await import('./partners.ts')).addPartnersCommand,
  keys: async () => (await import('./keys.ts')).addKeysCommand,
  users: async () => (await import('./users.ts')).addUsersCommand,
  sessions: async () => (await import('./sessions.ts')).addSessionsCommand,
  tokens: async () => (await import('./tokens.ts')).addTokensCommand,
  cluster: async () => (await import('./cluster.ts')).addClusterCommand,
  config: async () => (await import('./config.ts')).addConfigCommand,
  usage: async () => (await import('./usage.ts')).addUsageCommand,
  requests: async () => (await import('./requests.ts')).addRequestsCommand,
  reviews: async () => (await import('./reviews.ts')).addReviewsCommand,
  photos: async () => (await import('./photos.ts')).addPhotosCommand,
  erase: async () => (await import('./erase.ts')).addEraseCommand,
  backup: async () => (await import('./backup.ts')).addBackupCommand,
  restore: async () => (await import('./restore.ts')).addRestoreCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  verify: async () => (await import('./verify.ts')).addVerifyCommand,
  upgrades: async () => (await import('./upgrades.ts')).addUpgradesCommand,
  audit: async () => (await import('./audit.ts')).addAuditCommand,
  feeds: async () => (await import('./feeds.ts')).addFeedsCommand,
  webhooks: async () => (await import('./webhooks.ts')).addWebhooksCommand,
  openapi: async () => (await import('./openapi.ts')).addOpenApiCommand,
}

/** Makes every file and folder that a command creates accessible to its user only. */
const privateMask = 0o077

/** Runs `periplus` with these arguments and returns the exit code. Writes to standard output and standard error. */
export async function runProgram(args: readonly string[]): Promise<number> {
  process.umask(privateMask)
  try {
    const program = await createProgram(args[0] ?? '')
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error)
  }
}

/** Creates the program with the requested command; with all commands if the name is unknown. */
export async function createProgram(name: string): Promise<Command> {
  const program = new Command('periplus')
    .description(
      'A self-hosted location data service: places and reviews, with metering, exact limits and versioned APIs.',
    )
    .version(packageVersion())
    .showHelpAfterError('Run the command with --help to see what it takes.')
    .configureOutput({ outputError: (text, write) => write(`${toSentences(text)}\n`) })
    .enablePositionalOptions()
  const needed = Object.hasOwn(commands, name) ? [commands[name]!] : Object.values(commands)
  for (const load of needed) (await load())(program)
  throwInsteadOfExit(program)
  return program
}

/** Makes Commander throw instead of ending the process. Set on every subcommand too, since each has its own setting. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/**
 * Prints the message of an error and returns the exit code: 1 for a failure, 2 for wrong usage, or the one that the
 * command set.
 */
function reportError(error: unknown): number {
  // Commander has printed its own message; --help and --version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UsageError || error instanceof InvalidConfig) {
    printError(error.message)
    if (error instanceof InvalidConfig && error.unreadableFile !== undefined)
      printError('Specify another configuration file with --config FILE.')
    return 2
  }
  const message = messageOf(error)
  printError(message ?? `An unexpected error occurred: ${(error as Error).message}`)
  if (message === undefined && process.env.PERIPLUS_DEBUG) printError(inspect(error))
  return error instanceof CommandError ? error.exitCode : 1
}

/** Returns the user-facing message of an expected error; undefined for any other error. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message
  return error instanceof StoreError ? storeErrorText(error) : fileErrorText(error)
}

const printError = (text: string): void => void process.stderr.write(`${text}\n`)
