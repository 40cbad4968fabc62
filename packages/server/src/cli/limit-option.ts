import { InvalidArgumentError, Option } from 'commander'

const defaultLimit = 50
const maxLimit = 200

/** Returns the option `--limit` of lists. */
export const limitOption = (): Option =>
  new Option('--limit <n>', `maximum number of rows, 1 to ${maxLimit}`).default(defaultLimit).argParser(parseLimit)

function parseLimit(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > maxLimit)
    throw new InvalidArgumentError(`Must be an integer from 1 to ${maxLimit}.`)
  return value
}
