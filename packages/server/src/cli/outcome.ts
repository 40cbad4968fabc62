/** The command was used wrongly: exit 2. The message says what is wrong and what to do. */
export class WrongUse extends Error {}

/** The command could not do its work: exit 1, or what the command says. The message is for a person. */
export class Failed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
