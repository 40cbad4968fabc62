/** Thrown for wrong usage of a command: exit code 2. The message is user-facing. */
export class UsageError extends Error {}

/** Thrown when a command fails. The exit code is 1 unless the command sets another. The message is user-facing. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
