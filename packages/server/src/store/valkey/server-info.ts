import { StatesUnavailable } from '../../domain/limit-states.ts'
import type { ValkeyConnection } from './connection.ts'
import { ReplyError } from './resp.ts'

/** The oldest version of Redis with the commands in use; Valkey names the one that it is compatible with. */
const oldestVersion = 7

/** The fields of an INFO reply. */
export type ServerInfo = ReadonlyMap<string, string>

/** Returns the fields of the INFO reply of a server. */
export async function readInfo(connection: ValkeyConnection): Promise<ServerInfo> {
  const lines = String(await connection.ask('INFO')).split('\r\n')
  return new Map(lines.flatMap(line => (line.includes(':') ? [splitAtColon(line)] : [])))
}

function splitAtColon(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1)]
}

/** Throws if a server must not hold limits. */
export function refuseUnfit(info: ServerInfo, name: string): void {
  const mode = info.get('redis_mode') ?? info.get('server_mode')
  if (mode === 'sentinel')
    throw new StatesUnavailable(
      `${name} is a Sentinel. Name all of them and their primary, as in valkey://a:26379,b:26379/name.`,
    )
  if (mode === 'cluster') throw new StatesUnavailable(`${name} belongs to Valkey Cluster, which is not supported.`)
  const version = info.get('redis_version')
  if (version !== undefined && Number.parseInt(version, 10) < oldestVersion)
    throw new StatesUnavailable(`${name} is Redis ${version}. Use Valkey, or Redis ${oldestVersion} or later.`)
  if (info.get('role') !== 'master') throw new StatesUnavailable(`${name} is a replica.`)
  if (info.get('maxmemory_policy') !== 'noeviction')
    throw new StatesUnavailable(`${name} evicts keys. Set its maxmemory-policy to noeviction.`)
}

/**
 * Returns the time for which a replaced primary may accept writes, in milliseconds; 0 without replicas. Throws if
 * the server has replicas and hides the settings that bound this time.
 */
export async function readFailOverMs(connection: ValkeyConnection, name: string): Promise<number> {
  const minReplicas = await readSetting(connection, 'min-replicas-to-write')
  const maxLagS = await readSetting(connection, 'min-replicas-max-lag')
  if (minReplicas !== undefined && maxLagS !== undefined) return minReplicas > 0 ? (maxLagS + 1) * 1000 : 0
  if ((await readInfo(connection)).get('connected_slaves') === '0') return 0
  throw new StatesUnavailable(
    `${name} has replicas and hides its settings for them. Allow CONFIG GET, or use one instance without replicas.`,
  )
}

/** Returns a setting with a number; undefined if the server hides it, as managed services do. */
async function readSetting(connection: ValkeyConnection, setting: string): Promise<number | undefined> {
  try {
    const [, value] = (await connection.ask('CONFIG', 'GET', setting)) as (string | undefined)[]
    return value === undefined ? undefined : Number(value)
  } catch (error) {
    if (error instanceof ReplyError) return undefined
    throw error
  }
}
