import ipaddr from 'ipaddr.js'

/**
 * Returns a network in its usual form: `10.1.2.3/8` gives `10.0.0.0/8`, a single address gets its full prefix, and an
 * IPv4 network that is mapped into IPv6 becomes one of IPv4. Returns undefined for other text.
 */
export function normalizeNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  // Require all four parts of an IPv4 address: the parser would read 10.1 as 10.0.0.1.
  if (rest.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)))
    return undefined
  const written = ipaddr.parse(address)
  const parsed = ipaddr.process(address)
  if (written.kind() === 'ipv6' && (written as ipaddr.IPv6).zoneId !== undefined) return undefined
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return `${parsed}/${bits}`
  const mapped = written.kind() === parsed.kind() ? 0 : 96
  const length = Number(prefix) - mapped
  if (!/^\d{1,3}$/.test(prefix) || length < 0 || length > bits) return undefined
  const cidr = `${parsed}/${length}`
  const network = bits === 32 ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network}/${length}`
}
