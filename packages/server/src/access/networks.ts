import { BlockList, isIPv6 } from 'node:net'

const matchers = new WeakMap<readonly string[], BlockList>()

/** Returns true if an address is in one of the networks, which are in normal form (domain/network.ts). */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  let matcher = matchers.get(networks)
  if (!matcher) {
    matcher = createMatcher(networks)
    matchers.set(networks, matcher)
  }
  // BlockList finds an IPv4 address also if it is mapped into IPv6.
  return matcher.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function createMatcher(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string]
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}
