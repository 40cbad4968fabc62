import ipaddr from 'ipaddr.js'

/** Names of address ranges that the HTTP server knows. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Returns an error for each entry of `server.trustedProxies` that is not an address, a network or a named range. */
export function findTrustedProxyErrors(entries: unknown): { readonly path: string; readonly text: string }[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown, i) =>
    typeof entry !== 'string' || isNetwork(entry)
      ? []
      : [
          {
            path: `server.trustedProxies.${i}`,
            text: `expected an address such as 10.1.2.3, a network such as 10.0.0.0/8, or one of ${namedRanges.join(', ')}, found ${JSON.stringify(entry)}`,
          },
        ],
  )
}

function isNetwork(text: string): boolean {
  if (namedRanges.includes(text)) return true
  const [address, mask, ...rest] = text.split('/')
  // Require all four parts of an IPv4 address: the parser would read 10.1 as 10.0.0.1.
  if (rest.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address!) || ipaddr.IPv6.isValid(address!))) return false
  if (mask === undefined) return true
  if (ipaddr.isValidCIDR(text)) return Number(mask) > 0
  return ipaddr.IPv4.isValidFourPartDecimal(mask) && (ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask() ?? 0) > 0
}
