import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy in front of a server, whose connections a test cuts. */
export interface CuttingProxy {
  readonly port: number
  /** Cuts a connection; undefined: none. Called with each piece, and the bytes of its connection in this direction. */
  cut: ((direction: 'request' | 'reply', piece: Buffer, bytes: number) => boolean) | undefined
  /** Number of connections that were cut. */
  cuts: number
}

/** Starts a proxy in front of a port of the loopback interface. It ends with the test. */
export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    const close = () => {
      client.destroy()
      upstream.destroy()
    }
    const follow = (from: Socket, to: Socket, direction: 'request' | 'reply') => {
      let bytes = 0
      open.add(from)
      from.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (!proxy.cut?.(direction, piece, bytes)) {
          to.write(piece)
          return
        }
        proxy.cuts++
        close()
      })
      from.on('error', close)
      from.on('close', () => {
        open.delete(from)
        close()
      })
    }
    follow(client, upstream, 'request')
    follow(upstream, client, 'reply')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  const proxy: CuttingProxy = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: undefined,
    cuts: 0,
  }
  return proxy
}
