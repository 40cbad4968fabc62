/** The command was used wrongly: exit code 2. The message says what is wrong and what to do. */
export class UsageError extends Error {}

/** The command failed: exit code 1, or the command's own. The message is a sentence for people. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
