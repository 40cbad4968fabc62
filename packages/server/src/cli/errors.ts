/** Thrown for wrong usage of a command: exit code 2. The message is user-facing. */
export class UsageError extends Error {}

/** Thrown when a command fails: exit code 1, or the command's own. The message is user-facing. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
