import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { describeAddress, parseValkeyUrl, type ValkeyAddress } from '../store/valkey/address.ts'

/** The value for limit states in the database. */
const inDatabase = 'postgres'
/** Variable with the password of the cache. */
const passwordVariable = 'PERIPLUS_VALKEY_PASSWORD'

/** The place of the limit states that nodes share. */
export interface SharedLimitPlace {
  /** Address of the cache; undefined if the states are in the database. */
  readonly cache: ValkeyAddress | undefined
  /** The place as the database knows it, without user and password; the same for all nodes. */
  readonly name: string
}

/** Returns the place of the shared limit states; undefined if the limits are not shared. */
export function findSharedLimits(
  { limits: { shared } }: Pick<Config, 'limits'>,
  env: NodeJS.ProcessEnv = process.env,
): SharedLimitPlace | undefined {
  if (shared === undefined) return undefined
  if (shared === inDatabase) return { cache: undefined, name: inDatabase }
  const address = parseValkeyUrl(shared)
  if (typeof address === 'string') throw new Error(address)
  return { cache: { ...address, password: address.password ?? env[passwordVariable] }, name: nameOf(address) }
}

const nameOf = (address: ValkeyAddress): string =>
  address.primary === undefined ? describeAddress(address) : `${address.primary} at ${describeAddress(address)}`

/** Returns the name of the place for a value of limits.shared; a sentence if the value is wrong. */
export function sharedLimitName(shared: string): string | { readonly error: string } {
  if (shared === inDatabase) return inDatabase
  const address = parseValkeyUrl(shared)
  return typeof address === 'string' ? { error: address } : nameOf(address)
}

/** Returns an error for each setting that shared limits require, or that does not work with them. */
export function findSharedLimitErrors({
  blobs,
  limits,
  store,
  server,
}: Config): { readonly path: string; readonly text: string }[] {
  const shared = limits?.shared
  if (typeof shared !== 'string') return []
  const address = shared === inDatabase ? undefined : parseValkeyUrl(shared)
  const isWrong = [
    { path: 'limits.shared', text: typeof address === 'string' && withoutPeriod(address) },
    {
      path: 'limits.shared',
      text: store === folderStore && 'needs a database; set store to the URL of a PostgreSQL database',
    },
    {
      path: 'server.publicUrl',
      text: server?.publicUrl === undefined && 'required with limits.shared: the address of all nodes for partners',
    },
    {
      path: 'blobs',
      text: blobs === undefined && 'required with limits.shared: the place of feeds, indexes and journals of all nodes',
    },
    {
      path: 'server.threads',
      text: Number(server?.threads) > 1 && 'must be 1 with limits.shared; start more nodes instead',
    },
  ]
  return isWrong.flatMap(({ path, text }) => (text ? [{ path, text }] : []))
}

/** Errors of settings get their period when they are shown. */
const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, '')
