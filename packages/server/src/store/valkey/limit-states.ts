import { type LimitStates, type StateSwap, StatesUnavailable, type SwapReply } from '../../domain/limit-states.ts'
import { describeAddress, type ValkeyAddress } from './address.ts'
import { tooSlow, type ValkeyConnection } from './connection.ts'
import { openConnection } from './open-connection.ts'
import { toUnavailable } from './refusals.ts'
import { encodeCommand, encodeWord, type Reply, ReplyError } from './resp.ts'
import { readFailOverMs, readInfo, refuseUnfit } from './server-info.ts'

export interface ValkeyStatesOptions {
  readonly address: ValkeyAddress
  /** Id of the cluster; the cache of another cluster is refused. */
  readonly clusterId: string
  /** Wait for a connection and for what is not a decision, in milliseconds. */
  readonly timeoutMs?: number
}

/** Key of the cluster's id, and prefix of all other keys. */
const clusterKey = 'p'
const epochKey = 'p:epoch'
const keyOf = (subject: string): string => `p:${subject}`

/** Expiry of a state, which each swap renews: longer than any window or penalty. */
const stateMs = '90000000'
/** Expiry of the epoch, which nodes renew every second. */
const epochMs = '60000'

/**
 * Compare-and-swap for servers without SET IFEQ. The keys are replaced independently; the expected text is empty if the
 * key must not exist. Arguments: expiry, then the expected and the new text of each key.
 */
const swapScript = `local was = {}
for i, key in ipairs(KEYS) do
  was[i] = redis.call('GET', key)
  if (was[i] or '') == ARGV[2 * i] then redis.call('SET', key, ARGV[2 * i + 1], 'PX', ARGV[1]) end
end
return was`

/** A connection, and how its server swaps. */
interface Link {
  readonly connection: ValkeyConnection
  /** Digest of the script on the server; undefined if the server has SET IFEQ. */
  readonly script: string | undefined
}

/**
 * The shared states in Valkey or Redis: from Valkey 8.1 and Redis 8.4 on with `SET … IFEQ`, before with a script. Only
 * `identity` connects; everything else is rejected with StatesUnavailable while there is no connection.
 */
export class ValkeyLimitStates implements LimitStates {
  readonly #options: ValkeyStatesOptions
  readonly #timeoutMs: number
  /** The server as messages name it. */
  readonly #name: string
  #link: Link | undefined
  #isClosed = false

  constructor(options: ValkeyStatesOptions) {
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? 1000
    this.#name = describeAddress(options.address)
  }

  /** True if the connected server swaps without a script. */
  get hasCompareAndSet(): boolean {
    return this.#link !== undefined && this.#link.script === undefined
  }

  async get(subjects: readonly string[]): Promise<(string | undefined)[]> {
    const replies = await this.#send([['MGET', ...subjects.map(keyOf)]])
    return (replies[0] as Reply[]).map(toText)
  }

  async swap(swaps: readonly StateSwap[]): Promise<SwapReply> {
    const { script } = this.#connected()
    const commands = script === undefined ? swaps.map(encodeSwap) : [encodeScript(script, swaps)]
    const replies = await this.#write([...commands, getEpoch])
    const was = script === undefined ? replies.slice(0, -1) : (replies[0] as Reply[])
    return { was: was.map(toText), epoch: toNumber(replies.at(-1)) }
  }

  async identity(): Promise<string> {
    const link = await this.#connect()
    const [info, cluster] = await this.#inTime(async () => {
      const info = await readInfo(link.connection)
      refuseUnfit(info, this.#name)
      return [info, await link.connection.ask('SET', clusterKey, this.#options.clusterId, 'NX', 'GET')]
    })
    if (cluster !== undefined && cluster !== this.#options.clusterId)
      throw new StatesUnavailable(`${this.#name} holds the limits of another cluster.`)
    return `${info.get('run_id')} ${info.get('master_replid')}`
  }

  async epoch(): Promise<number | undefined> {
    const { connection } = this.#connected()
    return toNumber(await this.#inTime(() => connection.ask('GET', epochKey)))
  }

  async raiseEpoch(from: number | undefined, to: number): Promise<boolean> {
    const { connection, script } = this.#connected()
    const expected = from === undefined ? '' : String(from)
    const was = await this.#inTime(async () => {
      if (script !== undefined) {
        const all = await connection.ask('EVALSHA', script, '1', epochKey, epochMs, expected, String(to))
        return (all as Reply[])[0]
      }
      const condition = from === undefined ? ['NX'] : ['IFEQ', expected]
      return connection.ask('SET', epochKey, String(to), ...condition, 'GET', 'PX', epochMs)
    })
    return toNumber(was) === from
  }

  async failOverMs(): Promise<number> {
    const { connection } = this.#connected()
    return this.#inTime(() => readFailOverMs(connection, this.#name))
  }

  async clockUs(): Promise<number> {
    const { connection } = this.#connected()
    const [seconds, microseconds] = (await this.#inTime(() => connection.ask('TIME'))) as Reply[]
    return Number(seconds) * 1_000_000 + Number(microseconds)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#drop()
  }

  #connected(): Link {
    if (!this.#link || this.#link.connection.isClosed) throw new StatesUnavailable('The cache is not connected.')
    return this.#link
  }

  async #connect(): Promise<Link> {
    if (this.#isClosed) throw new StatesUnavailable('The cache is closed.')
    // A server that was stopped may not have closed the connection; a node that joins starts with a new one.
    if (this.#link && !this.#link.connection.isClosed && this.#link.connection.waiting === 0) return this.#link
    this.#drop()
    const connection = await openConnection(this.#options.address, this.#timeoutMs)
    this.#link = { connection, script: undefined }
    const script = await this.#inTime(async () => {
      refuseUnfit(await readInfo(connection), this.#name)
      return loadScript(connection)
    })
    this.#link = { connection, script }
    return this.#link
  }

  #send(commands: readonly (readonly string[])[]): Promise<readonly Reply[]> {
    return this.#write(commands.map(encodeCommand))
  }

  /** Sends encoded commands as one write. If the server refuses one of them, the connection is closed. */
  async #write(commands: readonly string[]): Promise<readonly Reply[]> {
    const replies = await this.#connected().connection.write(commands.join(''), commands.length)
    const refused = replies.find(reply => reply instanceof ReplyError)
    if (refused) {
      this.#drop()
      throw toUnavailable(refused, this.#name)
    }
    return replies
  }

  /** Closes the connection when work on it takes too long or is refused. */
  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    const { connection } = this.#connected()
    const timer = setTimeout(() => connection.close(tooSlow), this.#timeoutMs)
    try {
      return await work()
    } catch (error) {
      connection.close()
      throw toUnavailable(error, this.#name)
    } finally {
      clearTimeout(timer)
    }
  }

  #drop(): void {
    this.#link?.connection.close()
    this.#link = undefined
  }
}

const getEpoch = encodeCommand(['GET', epochKey])

/** Parts of a swap that are the same in each; swaps are most of what a node sends. */
const swapStart = { absent: `*7\r\n${encodeWord('SET')}`, known: `*8\r\n${encodeWord('SET')}` }
const ifAbsent = encodeWord('NX')
const ifEqual = encodeWord('IFEQ')
const swapEnd = ['GET', 'PX', stateMs].map(encodeWord).join('')

function encodeSwap({ subject, expected, next }: StateSwap): string {
  const words = encodeWord(keyOf(subject)) + encodeWord(next)
  return expected === undefined
    ? swapStart.absent + words + ifAbsent + swapEnd
    : swapStart.known + words + ifEqual + encodeWord(expected) + swapEnd
}

const encodeScript = (script: string, swaps: readonly StateSwap[]): string =>
  encodeCommand([
    'EVALSHA',
    script,
    String(swaps.length),
    ...swaps.map(({ subject }) => keyOf(subject)),
    stateMs,
    ...swaps.flatMap(({ expected = '', next }) => [expected, next]),
  ])

/** Loads the script into servers that do not know SET IFEQ; returns its digest. */
async function loadScript(connection: ValkeyConnection): Promise<string | undefined> {
  try {
    await connection.ask('SET', `${clusterKey}:probe`, '', 'IFEQ', '-', 'GET', 'PX', '1')
    return undefined
  } catch (error) {
    if (!(error instanceof ReplyError)) throw error
    return String(await connection.ask('SCRIPT', 'LOAD', swapScript))
  }
}

const toText = (reply: Reply): string | undefined => (typeof reply === 'string' ? reply : undefined)
const toNumber = (reply: Reply): number | undefined => (typeof reply === 'string' ? Number(reply) : undefined)
