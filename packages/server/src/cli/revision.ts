import { InvalidArgumentError, Option } from 'commander'

/** The flag of commands that change a partner or key. */
export interface RevisionFlag {
  readonly ifRevision?: number
}

/** Returns the option that makes a change depend on a revision. */
export const revisionOption = (): Option =>
  new Option('--if-revision <n>', 'changes it only while it has this revision, which --json shows').argParser(
    revisionOf,
  )

function revisionOf(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number from 1 up.')
  return value
}
