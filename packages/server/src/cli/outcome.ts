/** The command was used wrongly: exit 2. The message says what is wrong and what to do. */
export class WrongUse extends Error {}

/** The command could not do its work: exit 1. The message is for a person. */
export class Failed extends Error {}
