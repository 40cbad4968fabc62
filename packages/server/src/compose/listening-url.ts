import { type AddressInfo, isIPv6 } from 'node:net'

/** Returns the URL of a listening socket. */
export const listeningUrl = ({ address, port }: AddressInfo): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
