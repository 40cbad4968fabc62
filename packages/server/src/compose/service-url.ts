import { type AddressInfo, isIPv6 } from 'node:net'
import type { Config } from '../config/load.ts'

type Address = Pick<AddressInfo, 'address' | 'port'>

/** Returns the URL of a listening socket. */
export const listeningUrl = ({ address, port }: Address): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`

/** Returns the URL at which partners reach a service, without a trailing slash; `address` is where it listens. */
export const getServiceUrl = (
  { host, port, publicUrl, basePath }: Config['server'],
  address: Address = { address: host, port },
): string => (publicUrl ?? listeningUrl(address) + basePath).replace(/\/+$/, '')
