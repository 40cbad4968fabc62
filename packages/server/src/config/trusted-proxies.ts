import { BlockList, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Address ranges that have names, as the HTTP server defines them. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns an error for each entry of `server.trustedProxies` that is not an address, a network or a named range. */
export function findTrustedProxyErrors(entries: unknown): { readonly path: string; readonly text: string }[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown, i) =>
    typeof entry !== 'string' || isNetwork(entry)
      ? []
      : [
          {
            path: `server.trustedProxies.${i}`,
            text: `expected an address such as 10.1.2.3, a network such as 10.0.0.0/8, or one of ${Object.keys(namedRanges).join(', ')}, found ${JSON.stringify(entry)}`,
          },
        ],
  )
}

function isNetwork(text: string): boolean {
  if (Object.hasOwn(namedRanges, text)) return true
  const [address, mask, ...rest] = text.split('/')
  // Require all four parts of an IPv4 address: the parser would read 10.1 as 10.0.0.1.
  if (rest.length > 0 || !(ipaddr.IPv4.isValidFourPartDecimal(address!) || ipaddr.IPv6.isValid(address!))) return false
  if (mask === undefined) return true
  if (ipaddr.isValidCIDR(text)) return Number(mask) > 0
  return ipaddr.IPv4.isValidFourPartDecimal(mask) && (ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask() ?? 0) > 0
}

/** Returns a function that decides whether an address belongs to a trusted proxy. `entries` must be valid. */
export function createProxyMatcher(entries: readonly string[]): (address: string) => boolean {
  const networks = new BlockList()
  for (const entry of entries.flatMap(text => namedRanges[text] ?? [text])) {
    const [address, mask] = entry.split('/') as [string, string?]
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (mask === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, toPrefixLength(mask), family)
  }
  const known = new Map<string, boolean>()
  return address => {
    // Looking up an address takes several microseconds, and proxies are few.
    if (entries.length === 0) return false
    const before = known.get(address)
    if (before !== undefined) return before
    const isProxy = networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    if (known.size >= maxKnown) known.clear()
    known.set(address, isProxy)
    return isProxy
  }
}

/** Maximum number of addresses whose result is kept. */
const maxKnown = 1000

/** Converts `16` and `255.255.0.0` to a number of bits. */
const toPrefixLength = (mask: string): number =>
  mask.includes('.') ? ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask()! : Number(mask)
