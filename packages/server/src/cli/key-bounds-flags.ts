import { type Command, InvalidArgumentError } from 'commander'
import { parseInstant } from '../kit/time.ts'
import type { KeyBounds } from '../usecases/admin/key-bounds.ts'
import { parseDuration } from './duration.ts'

/** The flags of a key's end and networks, as Commander returns them. */
export interface BoundsFlags {
  readonly expires?: number | 'never'
  readonly network?: string[]
}

/** Adds --expires and --network. */
export const withBoundsFlags = (command: Command): Command =>
  command
    .option(
      '--expires <date>',
      'end of the key: a date or date-time, or a time from now such as 90d; "never" removes it',
      endOf,
    )
    .option(
      '--network <cidr...>',
      'networks or addresses from which the key can be used (203.0.113.0/24); "all" removes the restriction',
    )

/** Returns the end and networks that the flags set. */
export function boundsOf({ expires, network }: BoundsFlags): KeyBounds {
  return {
    ...(expires !== undefined && { expiresMs: expires === 'never' ? null : expires }),
    ...(network !== undefined && {
      networks: network.includes('all') ? null : network.flatMap(text => text.split(',')),
    }),
  }
}

/** Parses the end of a key or token, in milliseconds since 1970. */
export function endOf(text: string): number | 'never' {
  if (text === 'never') return text
  const ms = parseInstant(text) ?? (/^\d+[smhd]$/.test(text) ? Date.now() + parseDuration(text) : undefined)
  if (ms === undefined)
    throw new InvalidArgumentError(
      'Must be a date or date-time such as 2027-01-31 or 2027-01-31T12:00:00Z, a time from now such as 90d, or never.',
    )
  return ms
}
