import { readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Handle of a socket in Node: its descriptor, and the bytes that wait for the kernel to accept them. */
interface Handle {
  readonly fd?: number
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

const handleOf = (socket: Socket): Handle | undefined =>
  (socket as unknown as { readonly _handle?: Handle | null })._handle ?? undefined

/**
 * Returns the number of bytes that the kernel has accepted. The public counters cover complete writes only, and a slow
 * client may take minutes for one.
 */
export function countAcceptedBytes(socket: Socket): number {
  const handle = handleOf(socket)
  return handle?.bytesWritten === undefined
    ? socket.bytesWritten - socket.writableLength
    : handle.bytesWritten - (handle.writeQueueSize ?? 0)
}

/**
 * Reads how many bytes of each socket the client has not acknowledged (`tx_queue` in proc(5)); empty on systems other
 * than Linux. The kernel accepts further bytes only when much of its buffer is free, which takes a slow client minutes.
 */
export async function readSendQueues(sockets: readonly Socket[]): Promise<ReadonlyMap<Socket, number>> {
  const byInode = new Map<string, Socket>()
  const queues = new Map<Socket, number>()
  for (const socket of sockets) {
    const fd = handleOf(socket)?.fd ?? -1
    const target = fd < 0 ? '' : await readlink(`/proc/self/fd/${fd}`).catch(() => '')
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode !== undefined) byInode.set(inode, socket)
  }
  if (byInode.size === 0) return queues
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map(name => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '')),
  )
  for (const line of tables.join('').split('\n')) {
    // Columns: sl, local, remote, state, tx_queue:rx_queue, timer, retransmits, uid, timeout, inode
    const columns = line.trim().split(/\s+/)
    const socket = byInode.get(columns[9] ?? '')
    if (socket) queues.set(socket, Number.parseInt(columns[4]!, 16))
  }
  return queues
}
