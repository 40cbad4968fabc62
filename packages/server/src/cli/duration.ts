import { InvalidArgumentError } from 'commander'
import ms, { type StringValue } from 'ms'

/** Parses a number and a unit, such as `24h`; returns milliseconds. */
export function parseDuration(text: string): number {
  if (!/^\d{1,6}[smhd]$/.test(text))
    throw new InvalidArgumentError('Must be a number and a unit, such as 90s, 30m, 24h or 7d.')
  return ms(text as StringValue)
}
