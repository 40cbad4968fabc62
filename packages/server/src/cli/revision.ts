import { InvalidArgumentError, Option } from 'commander'

/** The flag of commands that change a partner or key. */
export interface RevisionFlag {
  readonly ifRevision?: number
}

/** Returns the option that makes a change depend on a revision. */
export const revisionOption = (): Option =>
  new Option('--if-revision <n>', 'change only if the current revision is <n> (see --json)').argParser(revisionOf)

function revisionOf(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Must be an integer of at least 1.')
  return value
}
