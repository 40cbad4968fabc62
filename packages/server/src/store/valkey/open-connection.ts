import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { StatesUnavailable } from '../../domain/limit-states.ts'
import { describeHost, type HostAndPort, type ValkeyAddress } from './address.ts'
import { ConnectionClosed, tooSlow, ValkeyConnection } from './connection.ts'
import { toUnavailable } from './refusals.ts'
import { type Reply, ReplyError } from './resp.ts'

/** Opens a connection, signs in, and asks Sentinels for the primary. Throws StatesUnavailable. */
export async function openConnection(address: ValkeyAddress, timeoutMs: number): Promise<ValkeyConnection> {
  const server = address.primary === undefined ? address.hosts[0]! : await findPrimary(address, timeoutMs)
  return await connectTo(server, address, timeoutMs, async connection => {
    await signIn(connection, address)
    return connection
  })
}

/** Signs in; without a password, asks for any reply, so that a server of another protocol is noticed here. */
async function signIn(connection: ValkeyConnection, { username, password }: ValkeyAddress): Promise<void> {
  await connection.ask(...(password === undefined ? ['PING'] : ['AUTH', ...(username ? [username] : []), password]))
}

/** Asks the Sentinels, one at a time, for the address of the primary. */
async function findPrimary(address: ValkeyAddress, timeoutMs: number): Promise<HostAndPort> {
  const reasons: string[] = []
  for (const sentinel of address.hosts) {
    try {
      const found = await connectTo(sentinel, address, timeoutMs, connection => askSentinel(connection, address))
      if (Array.isArray(found)) return { host: String(found[0]), port: Number(found[1]) }
      reasons.push(`${describeHost(sentinel)} does not watch it.`)
    } catch (error) {
      // The next Sentinel may know it.
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new StatesUnavailable(`No Sentinel knows the primary ${address.primary}: ${reasons.join(' ')}`)
}

/** Asks for the primary; a Sentinel with a password has that of the servers. */
async function askSentinel(connection: ValkeyConnection, address: ValkeyAddress): Promise<Reply> {
  const ask = () => connection.ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.primary!)
  try {
    return await ask().catch(async error => {
      const needsPassword = error instanceof ReplyError && error.message.startsWith('NOAUTH')
      if (!needsPassword || address.password === undefined) throw error
      await signIn(connection, address)
      return ask()
    })
  } finally {
    connection.close()
  }
}

/** Connects to a host and greets it; both must succeed in time. Throws StatesUnavailable with the reason. */
async function connectTo<T>(
  server: HostAndPort,
  { tls }: ValkeyAddress,
  timeoutMs: number,
  greet: (connection: ValkeyConnection) => Promise<T>,
): Promise<T> {
  const socket = tls ? openTls(server) : connectTcp(server)
  const connection = new ValkeyConnection(socket)
  const timer = setTimeout(() => connection.close(tooSlow), timeoutMs)
  let hint = ''
  socket.once('connect', () => {
    hint = tls ? 'Check that this is its port for TLS.' : 'Check that this is not its port for TLS.'
  })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(tls ? 'secureConnect' : 'connect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new ConnectionClosed(tooSlow)))
    })
    return await greet(connection)
  } catch (error) {
    connection.close()
    throw toUnavailable(error, describeHost(server), hint)
  } finally {
    clearTimeout(timer)
  }
}

/** Opens a TLS connection; its certificate must be that of the host. Addresses are no names of servers (RFC 6066). */
const openTls = ({ host, port }: HostAndPort): Socket =>
  connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
