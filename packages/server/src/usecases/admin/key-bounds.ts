import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { KeyChange } from '../../domain/key.ts'
import { normalizeNetwork } from '../../domain/network.ts'

/** Highest number of networks of a key, so that the check of an address remains cheap. */
const maxNetworks = 100
/** End of the year 9999, the last with four digits, in milliseconds since 1970. */
const latestMs = Date.UTC(9999, 11, 31)

/** End and networks of a key, checked; a missing member leaves the value unchanged, null removes it. */
export type KeyBounds = Pick<KeyChange, 'expiresMs' | 'networks'>

/**
 * Returns the end and networks of a key with the networks in normal form, each once; an empty list removes the
 * restriction. Returns the fault of the first invalid value.
 */
export function checkBounds({ expiresMs, networks }: KeyBounds): KeyBounds | AdminFault {
  if (typeof expiresMs === 'number' && !(Number.isSafeInteger(expiresMs) && expiresMs >= 0 && expiresMs <= latestMs))
    return adminFault('end_invalid', ['expires_at'], { expiresMs })
  const known = new Set<string>()
  for (const text of networks ?? []) {
    const network = normalizeNetwork(text)
    if (network === undefined) return adminFault('network_invalid', ['networks'], { network: text })
    known.add(network)
  }
  if (known.size > maxNetworks) return adminFault('networks_too_many', ['networks'], { max: maxNetworks })
  return {
    ...(expiresMs !== undefined && { expiresMs }),
    ...(networks !== undefined && { networks: known.size === 0 ? null : [...known] }),
  }
}
