import { InvalidArgumentError } from 'commander'

/** Parses the value of an option that names a port. */
export function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('Must be an integer from 0 to 65535.')
  return value
}
