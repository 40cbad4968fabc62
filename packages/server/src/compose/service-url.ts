import { type AddressInfo, isIPv6 } from 'node:net'
import type { Config } from '../config/load.ts'

type Address = Pick<AddressInfo, 'address' | 'port'>

/** Returns the URL of a listening socket. */
export const listeningUrl = ({ address, port }: Address): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`

/** Returns the URL of a service on its own machine, without a trailing slash; `address` is where it listens. */
export const getOwnUrl = ({ basePath }: Pick<Config['server'], 'basePath'>, address: Address): string =>
  trimSlash(listeningUrl(address) + basePath)

/** Returns the URL at which partners reach a service, without a trailing slash; `address` is where it listens. */
export const getServiceUrl = (
  { host, port, publicUrl, basePath }: Config['server'],
  address: Address = { address: host, port },
): string => (publicUrl === undefined ? getOwnUrl({ basePath }, address) : trimSlash(publicUrl))

const trimSlash = (url: string): string => url.replace(/\/+$/, '')
