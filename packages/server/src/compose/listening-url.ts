import { type AddressInfo, isIPv6 } from 'node:net'

/** How a listening socket is reached from this machine. */
export const listeningUrl = ({ address, port }: AddressInfo): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
