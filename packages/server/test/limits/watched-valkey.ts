import { expect } from 'vitest'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { openConnection } from '../../src/store/valkey/open-connection.ts'
import { type RunningEngine, startSentinel, startValkey, startValkeyReplica } from '../engines.ts'
import { eventually } from '../eventually.ts'

const name = 'places'

/** Asks a server with a command of one reply. */
async function ask({ url }: RunningEngine, ...words: string[]) {
  const connection = await openConnection(parseValkeyUrl(url) as ValkeyAddress, 5000)
  return await connection.ask(...words).finally(() => connection.close())
}

/** Starts a Valkey with a replica, and a Sentinel that watches them. */
export async function startWatched() {
  const primary = await startValkey()
  // Otherwise the copy waits for more replicas.
  await ask(primary, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  const replica = await startValkeyReplica(primary)
  await eventually(async () => expect(await ask(replica, 'INFO')).toContain('master_link_status:up'))
  const sentinel = await startSentinel(name, primary)
  const knowsReplica = () => ask(sentinel, 'SENTINEL', 'REPLICAS', name)
  await eventually(async () => expect(await knowsReplica()).toHaveLength(1))
  return {
    /** The Sentinel, after one that does not run. */
    address: parseValkeyUrl(`valkey://127.0.0.1:1,127.0.0.1:${sentinel.port}/${name}`) as ValkeyAddress,
    /** Kills the primary, and has the Sentinel promote the replica, whenever it would have noticed that. */
    replacePrimary: async () => {
      process.kill(primary.pid, 'SIGKILL')
      await eventually(() => ask(sentinel, 'SENTINEL', 'FAILOVER', name))
    },
    stop: async () => {
      for (const engine of [sentinel, replica, primary]) await engine.stop()
    },
  }
}
