import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LimitStates, StatesUnavailable } from '../../src/domain/limit-states.ts'
import { MemoryStates } from '../../src/limits/shared/memory-states.fixture.ts'
import { PostgresPool, workTimeouts } from '../../src/store/postgres/pool.ts'
import { PostgresLimitStates } from '../../src/store/postgres/shared-states.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../../src/store/valkey/limit-states.ts'
import { openConnection } from '../../src/store/valkey/open-connection.ts'
import { createDatabase, describeWith, type RunningEngine, startValkey } from '../engines.ts'
import { postgresTemplate } from '../postgres-template.ts'

/** Defines the tests that the states of every engine must pass; `empty` removes all. */
function testStates({ open, empty }: { open: () => Promise<LimitStates>; empty: () => Promise<void> }): void {
  beforeEach(empty)

  it('replaces a text only if it is the expected one', async () => {
    const states = await open()
    const swap = async (subject: string, expected: string | undefined, next: string) =>
      (await states.swap([{ subject, expected, next }])).was[0]
    expect(await states.get(['a', 'b'])).toEqual([undefined, undefined])
    expect(await swap('a', 'other', '1')).toBeUndefined()
    expect(await states.get(['a'])).toEqual([undefined])
    expect(await swap('a', undefined, '1|x y|z')).toBeUndefined()
    expect(await swap('a', undefined, '2')).toBe('1|x y|z')
    expect(await swap('a', '1', '2')).toBe('1|x y|z')
    expect(await swap('a', '1|x y|z', '2')).toBe('1|x y|z')
    expect(await states.get(['b', 'a'])).toEqual([undefined, '2'])
  })

  it('makes each swap of a list separately, and reads the epoch after them', async () => {
    const states = await open()
    expect(await states.epoch()).toBeUndefined()
    expect(await states.raiseEpoch(7, 8)).toBe(false)
    expect(await states.raiseEpoch(undefined, 1_795_305_590_000)).toBe(true)
    expect(await states.raiseEpoch(undefined, 9)).toBe(false)
    const subjects = Array.from({ length: 50 }, (_, i) => `partner/${i}`)
    const made = await states.swap(subjects.map(subject => ({ subject, expected: undefined, next: subject })))
    expect(made).toEqual({ was: subjects.map(() => undefined), epoch: 1_795_305_590_000 })
    expect(await states.raiseEpoch(1_795_305_590_000, 1_795_305_590_001)).toBe(true)
    const half = subjects.map((subject, i) => ({ subject, expected: i % 2 === 0 ? subject : 'x', next: 'y' }))
    expect(await states.swap(half)).toEqual({ was: subjects, epoch: 1_795_305_590_001 })
    expect(await states.get(subjects)).toEqual(subjects.map((subject, i) => (i % 2 === 0 ? 'y' : subject)))
  })

  it('gives a swap to one of several at the same time', async () => {
    const all = await Promise.all([open(), open(), open()])
    const first = all[0]!
    await first.swap([{ subject: 'count', expected: undefined, next: '0' }])
    const add = async (states: LimitStates) => {
      let [expected] = await states.get(['count'])
      for (;;) {
        const { was } = await states.swap([{ subject: 'count', expected, next: String(Number(expected) + 1) }])
        if (was[0] === expected) return
        expected = was[0]
      }
    }
    await Promise.all(Array.from({ length: 60 }, (_, i) => add(all[i % 3]!)))
    expect(await first.get(['count'])).toEqual(['60'])
  })

  it('has an identity and a clock', async () => {
    const [one, two] = await Promise.all([open(), open()])
    expect(await one.identity()).toBe(await two.identity())
    const nowUs = await one.clockUs()
    expect(await two.clockUs()).toBeGreaterThanOrEqual(nowUs)
    expect(Math.abs(nowUs / 1000 - Date.now())).toBeLessThan(60_000)
  })
}

describe('limit states in memory', () => {
  let states = new MemoryStates()
  testStates({
    open: async () => states,
    empty: async () => {
      states = new MemoryStates()
    },
  })
})

/** Starts a server for a suite, and opens states in it that the suite closes. */
function useServer(program?: string) {
  const opened: ValkeyLimitStates[] = []
  let server: RunningEngine
  beforeAll(async () => {
    server = await startValkey(program)
  })
  afterAll(async () => {
    for (const states of opened) await states.close()
    await server?.stop()
  })
  const address = () => parseValkeyUrl(server.url) as ValkeyAddress
  const open = async (clusterId = 'cluster 1') => {
    const states = new ValkeyLimitStates({ address: address(), clusterId })
    opened.push(states)
    await states.identity()
    return states
  }
  const ask = async (...words: string[]) => {
    const connection = await openConnection(address(), 5000)
    return connection.ask(...words).finally(() => connection.close())
  }
  const empty = async () => {
    await ask('FLUSHALL')
  }
  return { open, empty, ask, server: () => server }
}

describeWith(['valkey'], 'limit states in Valkey', () => {
  const { open, empty, ask, server } = useServer()
  testStates({ open, empty })

  it('expire a while after the last swap, the epoch within a minute', async () => {
    const states = await open()
    await states.raiseEpoch(undefined, 5)
    await states.swap([{ subject: 'a', expected: undefined, next: '1' }])
    expect(Number(await ask('PTTL', 'p:a'))).toBeGreaterThan(24 * 3_600_000)
    expect(Number(await ask('PTTL', 'p:epoch'))).toBeLessThanOrEqual(60_000)
  })

  it('refuse the cache of another cluster, a replica, and one that evicts keys', async () => {
    await open()
    await expect(open('cluster 2')).rejects.toThrow('holds the limits of another cluster.')
    await ask('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(open()).rejects.toThrow('Set its maxmemory-policy to noeviction.')
    await ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    await ask('REPLICAOF', '127.0.0.1', '1')
    await expect(open()).rejects.toThrow('is a replica.')
    await ask('REPLICAOF', 'NO', 'ONE')
  })

  it('need no settings of a server without replicas, and refuse an old one', async () => {
    let replies: Rewrite = text => text
    const front = await startFront(Number(new URL(server().url).port), { replies: text => replies(text) })
    const address = parseValkeyUrl(`valkey://127.0.0.1:${front.port}`) as ValkeyAddress
    const states = new ValkeyLimitStates({ address, clusterId: 'cluster 1' })
    await ask('ACL', 'SETUSER', 'default', '-config')
    try {
      await states.identity()
      expect(await states.failOverMs()).toBe(0)
      replies = text => text.replace('connected_slaves:0', 'connected_slaves:2')
      await expect(states.failOverMs()).rejects.toThrow('Allow CONFIG GET, or use one instance without replicas.')
      replies = text => text.replace(/redis_version:\d/, 'redis_version:6')
      await expect(states.identity()).rejects.toThrow(/is Redis 6\..*Use Valkey, or Redis 7 or later\.$/)
    } finally {
      await states.close()
      front.close()
      await ask('ACL', 'SETUSER', 'default', '+config')
    }
  })

  it('are unavailable until the next identity once a write was refused', async () => {
    const states = await open()
    const swap = () => states.swap([{ subject: 'a', expected: undefined, next: '1' }])
    await ask('REPLICAOF', '127.0.0.1', '1')
    await expect(swap()).rejects.toThrow(StatesUnavailable)
    await ask('REPLICAOF', 'NO', 'ONE')
    await expect(swap()).rejects.toThrow('The cache is not connected.')
    await states.identity()
    expect((await swap()).was).toEqual([undefined])
  })

  it('have another identity after a restart, and say so by a closed connection', async () => {
    const states = await open()
    const before = await states.identity()
    process.kill(server().pid, 'SIGKILL')
    await expect(states.get(['a'])).rejects.toThrow(StatesUnavailable)
    await server().restart()
    await expect(states.get(['a'])).rejects.toThrow(StatesUnavailable)
    expect(await states.identity()).not.toBe(before)
  })
})

/** Changes the text of commands or replies, and keeps its length. */
type Rewrite = (text: string) => string

/** Starts a front of a server that changes what it is sent, or what it replies. */
async function startFront(
  port: number,
  { commands = text => text, replies = text => text }: { readonly commands?: Rewrite; readonly replies?: Rewrite },
): Promise<{ port: number; close: () => void }> {
  const front = createServer(client => {
    const server = connect(port, '127.0.0.1')
    client.setEncoding('latin1').on('data', (text: string) => {
      server.write(commands(text), 'latin1')
    })
    server.setEncoding('latin1').on('data', (text: string) => {
      client.write(replies(text), 'latin1')
    })
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    server.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return { port: (front.address() as AddressInfo).port, close: () => front.close() }
}

/** Changes SET to one that does not know IFEQ, as that of Redis up to version 8.2. */
const withoutIfEqual: Rewrite = text => text.replaceAll('$4\r\nIFEQ\r\n', '$4\r\nNONE\r\n')

describeWith(['valkey'], 'limit states in a server without SET IFEQ', () => {
  let server: RunningEngine
  let front: Awaited<ReturnType<typeof startFront>>
  const opened: ValkeyLimitStates[] = []
  beforeAll(async () => {
    server = await startValkey()
    front = await startFront(Number(new URL(server.url).port), { commands: withoutIfEqual })
  })
  afterAll(async () => {
    for (const states of opened) await states.close()
    front?.close()
    await server?.stop()
  })
  const open = async () => {
    const address = parseValkeyUrl(`valkey://127.0.0.1:${front.port}`) as ValkeyAddress
    const states = new ValkeyLimitStates({ address, clusterId: 'cluster 1' })
    opened.push(states)
    await states.identity()
    return states
  }
  testStates({
    open,
    empty: async () => {
      const connection = await openConnection(parseValkeyUrl(server.url) as ValkeyAddress, 5000)
      await connection.ask('FLUSHALL').finally(() => connection.close())
    },
  })

  it('are swapped by a script', async () => {
    expect((await open()).hasCompareAndSet).toBe(false)
  })
})

/** Redis of the system. */
const redis = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'redis-server'))
  .find(file => existsSync(file))

describeWith(redis === undefined ? ['valkey'] : [], 'limit states in Redis', () => {
  testStates(useServer(redis))
})

describeWith(['pg'], 'limit states in PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  const opened: PostgresLimitStates[] = []
  const open = async () => {
    const pool = new PostgresPool({ url: database.url, connections: 2, timeouts: workTimeouts })
    const states = new PostgresLimitStates(pool)
    opened.push(states)
    await states.identity()
    return states
  }
  beforeAll(async () => {
    database = await createDatabase(await postgresTemplate())
  })
  const close = async () => {
    for (const states of opened.splice(0)) await states.close()
  }
  afterAll(async () => {
    await close()
    await database?.drop()
  })
  testStates({
    open,
    empty: async () => {
      await close()
      const pool = new PostgresPool({ url: database.url, connections: 1, timeouts: workTimeouts })
      await pool.exec('TRUNCATE shared_states, shared_life').finally(() => pool.close())
    },
  })
})

describe('the address of Valkey', () => {
  it.each([
    ['valkey://cache', [{ host: 'cache', port: 6379 }], {}],
    ['rediss://u:p%40@cache:6380', [{ host: 'cache', port: 6380 }], { tls: true, username: 'u', password: 'p@' }],
    ['valkey://:p@[::1]:7000', [{ host: '::1', port: 7000 }], { username: undefined, password: 'p' }],
    [
      'valkeys://a,b:1/main',
      [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 1 },
      ],
      { primary: 'main', tls: true },
    ],
  ])('%s names its hosts', (url, hosts, more) => {
    expect(parseValkeyUrl(url)).toMatchObject({ hosts, ...more })
  })

  it.each(['', 'http://cache', 'valkey://', 'valkey://a:0', 'valkey://a:99999', 'valkey://a,b', 'valkey://a/1'])(
    '%j is refused with a sentence',
    url => {
      expect(parseValkeyUrl(url)).toMatch(/^[A-Z].*\.$/)
    },
  )
})
