import ipaddr from 'ipaddr.js'

/**
 * Returns the block that counts as one address: an IPv4 address, also if it is mapped into IPv6, or the /64 of an IPv6
 * address, because providers assign at least a /64 to each connection. Other text is returned unchanged.
 */
export function toAddressBlock(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${prefix.join(':')}::/64`
}
